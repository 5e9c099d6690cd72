import APNs
import Foundation
import MartletKit
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

/// The tokens that MartletKit tells, at the server that it is made for, over HTTP.
@Suite("Live Activities of an app with MartletKit", .timeLimit(.minutes(10)))
struct AppActivityTests {
  @Test("a token is known while its activity runs, and a lost device is registered again with it")
  func tokens() async throws {
    let fixture = try await Fixture()
    let server = try PushServer.started(
      .init(), store: fixture.store, secretKey: fixture.secretKey, sender: fixture.apple
    ) { _ in }
    let folder = TemporaryFolder()
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
    let deviceKey = try #require(fixture.keys[.device])
    let push = PushDevice(PushSettings(server: url, key: deviceKey, folder: folder.url))
    func phones() async throws -> Int64? {
      let answer = try await curl(
        "GET", "\(url)/v6/activities/order-7", key: fixture.keys[.push], body: nil)
      return answer.json["activity"]?["phones"]?.integer
    }
    do {
      try push.liveActivities.setStartToken(Data([9, 9]), type: "OrderAttributes")
      // ActivityKit may give two types one token.
      try push.liveActivities.setStartToken(Data([9, 9]), type: "MatchAttributes")
      try push.liveActivities.setToken(Data([1]), activity: "order-7", type: "OrderAttributes")
      await push.start()
      #expect(await push.synchronize().state == .upToDate)
      #expect(try await phones() == 1)
      let app = fixture.app.id
      for type in ["OrderAttributes", "MatchAttributes"] {
        let devices = try await fixture.store.devices(with: .start(type: type), app: app)
        #expect(devices.count == 1, "\(type)")
      }
      try push.liveActivities.setToken(Data([2]), activity: "order-7", type: "OrderAttributes")
      push.liveActivities.recordEnd(of: "order-7", token: Data([1]))
      #expect(await push.synchronize().state == .upToDate)
      #expect(try await phones() == 1)
      push.liveActivities.recordEnd(of: "order-7", token: Data([2]))
      #expect(await push.synchronize().state == .upToDate)
      #expect(try await phones() ?? 0 == 0)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  @Test("an app follows a kept activity: the server starts it by a push, or names its channel")
  func following() async throws {
    let fixture = try await Fixture()
    let server = try PushServer.started(
      .init(), store: fixture.store, secretKey: fixture.secretKey, sender: fixture.apple
    ) { _ in }
    let folder = TemporaryFolder()
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
    let deviceKey = try #require(fixture.keys[.device])
    let push = PushDevice(PushSettings(server: url, key: deviceKey, folder: folder.url))
    func keep(_ id: String, _ channel: String) async throws {
      let activity = """
        {"activity":{"type":"T","attributes":{},"content_state":{},"alert":{"title":"A"}\(channel)}}
        """
      let answer = try await curl(
        "PUT", "\(url)/v6/activities/\(id)", key: fixture.keys[.push], body: activity)
      #expect(answer.status == 200, "\(answer.json)")
    }
    do {
      try push.liveActivities.setStartToken(Data([9]), type: "T")
      await push.start()
      #expect(await push.synchronize().state == .upToDate)
      try await keep("order-7", "")
      #expect(try await push.liveActivities.follow(activity: "order-7") == nil)
      try await until { fixture.apple.taken.contains { $0.push.deviceToken == "09" } }
      try await keep("match-1", #","channel":{"above":0}"#)
      _ = try await push.liveActivities.follow(activity: "match-1")
      try await until {
        let kept = try await fixture.store.keptActivity("match-1", app: fixture.app.id)
        return kept?.keeper.channel?.stage == .open
      }
      #expect(try await push.liveActivities.follow(activity: "match-1") == nil)
      // Whoever comes back begins it on the channel, since a push has started it once.
      try await push.liveActivities.unfollow(activity: "match-1")
      #expect(try await push.liveActivities.follow(activity: "match-1") != nil)
      try await push.liveActivities.unfollow(activity: "order-7")
      await #expect(throws: PushError.self) {
        try await push.liveActivities.follow(activity: "none")
      }
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }
}
