import Foundation
import MartletKit
import PushPayload
import Synchronization
import TestSupport
import Testing
import UserNotifications

@Suite("The snippets of MartletKit's landing page", .timeLimit(.minutes(10)))
struct DocumentationSnippetTests {
  @Test("the page's code is the code of this file")
  func page() throws {
    try expectSnippets(of: "Sources/Device/MartletKit/MartletKit.docc/MartletKit.md", in: #filePath)
  }

  @Test("the page's code registers a device, and tells the server what follows")
  func code() async throws {
    let place = TemporaryPlace()
    let appGroupFolder = place.url
    let serverURL = try #require(URL(string: "http://127.0.0.1:1"))
    let (deviceKey, userToken) = ("KEY", ModelServer.proof("ada"))
    let deviceToken = Data([1, 2])
    do {
      let settings = PushSettings(server: serverURL, key: deviceKey, folder: appGroupFolder)
      let push = PushDevice(settings)
      push.installDelegate()
      #expect(push.status.state == .off && place.files == [])
    }

    let server = ModelServer()
    let push = PushDevice(
      PushSettings(server: serverURL, key: deviceKey, folder: appGroupFolder), transport: server)
    func start() async throws {
      await push.start()
      let isAllowed = try await push.requestPermission([.alert, .badge, .sound])
      #expect(isAllowed)
    }
    try await start()
    push.setToken(deviceToken)
    await push.activate()
    await push.refreshPermission()
    try await push.signIn("ada", proof: userToken)
    await push.update { profile in
      profile.tags.insert("gold")
      profile["plan"] = .string("pro")
    }
    await push.synchronize()
    let id = try #require(DeviceCredentials(folder: appGroupFolder)?.id)
    #expect(server.devices[id]?.members["push_token"] == "0102")
    #expect(server.devices[id]?.members["user_id"] == "ada")
    #expect(server.devices[id]?.members["tags"] == ["gold"])
    try await change(push, userToken)
    #expect(server.devices[id]?.members["user_id"] == nil)
    #expect(server.devices[id]?.events["bought"] == 1)
    push.setWidgetToken(deviceToken)
    push.setControlTokens([deviceToken: "com.example.lamp"])

    server.state.withLock { $0.inbox.publish("m") }
    let reader = Task { try await inbox(push) }
    try await until {
      await push.synchronize()
      return !server.inbox.read.isEmpty
    }
    reader.cancel()
    try await reader.value

    push.recordOpening(payload: ["_nid": "n"], request: "r")
    let loops = [
      Task {
        for await opening in push.openings {
          print(opening.notificationID, opening.link ?? "no link")
        }
      },
      Task {
        for await status in push.statuses {
          print(status.state, status.problems)
        }
      },
    ]
    try await until { place.files.allSatisfy { !$0.hasPrefix("Library/Martlet/Openings/") } }
    for loop in loops { loop.cancel() }
    if let device = DeviceCredentials(folder: appGroupFolder) {
      print(device.id)
    }
    try await withdraw(push)
    #expect(server.devices[id]?.isErased == true)
    #expect(DeviceCredentials(folder: appGroupFolder) == nil)
  }

  private func change(_ push: PushDevice, _ userToken: String) async throws {
    try await push.signIn("ada", proof: userToken)
    await push.update { profile in
      profile.tags.insert("gold")
      profile["plan"] = .string("pro")
    }
    try await push.record("bought", items: [PurchasedItem(name: "Umbrella", price: 1900)])
    await push.signOut()
    await push.synchronize()
  }

  private func inbox(_ push: PushDevice) async throws {
    let messages = try await push.inbox.refresh()
    await push.inbox.markRead(messages.map(\.id))
    for await content in push.inbox.changes {
      print(content.unreadCount, content.messages.count)
    }
  }

  private func withdraw(_ push: PushDevice) async throws {
    let stored = try await push.export()
    try await push.stop()
    try await push.erase()
    #expect(!stored.isEmpty)
  }
}
