import Foundation
import MartletKit
import PushPayload

/// The program `bench-app`: an app with MartletKit, whose size is compared with that of `bench-empty`.
@main
struct App {
  static func main() async throws {
    guard let server = URL(string: CommandLine.arguments.last ?? "") else { return }
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let push = PushDevice(PushSettings(server: server, key: "key", folder: folder))
    await push.start()
    push.setToken(Data([1]))
    push.reportPermission(.allowed)
    try await push.signIn("user", proof: nil)
    await push.update { $0.tags = ["tag"] }
    try await push.record("event")
    push.recordOpening(payload: ["_nid": "id"], request: "request")
    print(await push.synchronize(), try await push.inbox.refresh().count)
    try await push.erase()
  }
}
