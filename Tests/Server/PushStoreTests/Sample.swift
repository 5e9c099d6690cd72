import Foundation
import PushModel
import PushPayload

/// Values that tests store.
enum Sample {
  static let now = Timestamp(milliseconds: 1_700_000_000_000)

  static func app(_ id: String = "app") -> App {
    App(
      id: id, name: "Weather", bundleID: "com.example.weather", teamID: "TEAM123456",
      keyID: "KEY1234567", sealedKey: Array("sealed".utf8), createdAt: now)
  }

  static func key(_ number: Int, app: String? = "app") -> APIKey {
    APIKey(
      id: "key\(number)", app: app, role: .push,
      hash: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 32), createdAt: now)
  }

  static func send(
    _ id: String, app: String = "app", audience: String = "all", at time: Timestamp = now
  ) -> Send {
    Send(
      id: id, messageID: "message-\(id)", app: app, audience: audience,
      payload: ["alert": .string("Hi")], createdAt: time)
  }

  static func audience(
    _ id: String = "all", app: String = "app", _ filters: [Filter] = []
  ) -> Audience {
    Audience(id: id, app: app, filters: filters, createdAt: now)
  }

  static func patch(token: String?, _ edit: (inout DevicePatch) -> Void = { _ in }) -> DevicePatch {
    var patch = DevicePatch()
    patch.token = .set(token)
    edit(&patch)
    return patch
  }
}
