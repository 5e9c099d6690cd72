import Foundation
import PushPayload
import Synchronization

@testable import MartletKit

/// A phone with a disk, a clock and a network, on which the app is started, killed and started again.
final class ModelPhone: Sendable {
  let disk = ModelDisk()
  let server: ModelServer
  let time = Mutex<Int64>(1_700_000_000_000)
  private let random: Mutex<UInt64>
  let system = Mutex<[String: String]>(["locale": "de-DE", "app_version": "1.0"])

  init(_ server: ModelServer = ModelServer(), seed: UInt64 = 1) {
    self.server = server
    random = Mutex(seed)
  }

  var record: DeviceRecord? { disk.record }

  /// The phone's device at the server.
  var device: ModelServer.Device? { record.flatMap { server.devices[$0.id] } }

  func advance(seconds: Int64) { time.withLock { $0 += seconds * 1000 } }

  /// One run of the app, or of another process with the same folder.
  struct App: Sendable {
    let push: PushDevice
    let storage: ModelStorage
  }

  func launch(
    role: String = "app", killedAfter writes: Int? = nil, gateway: PushGateway = .production,
    sleep: (@Sendable (Int64) async throws -> Void)? = nil,
    edit: (inout PushSettings) -> Void = { _ in }
  ) -> App {
    let storage = ModelStorage(disk, killedAfter: writes)
    var settings = PushSettings(
      server: URL(string: "https://push.example.com") ?? URL(fileURLWithPath: "/"), key: "KEY",
      folder: URL(fileURLWithPath: "/nowhere"))
    edit(&settings)
    let environment = PushEnvironment(
      storage: storage, transport: server, now: { self.time.withLock(\.self) }, sleep: sleep,
      randomBytes: { self.bytes($0) }, system: { self.system.withLock(\.self) },
      gateway: { gateway }, role: role)
    return App(push: PushDevice(settings, environment: environment), storage: storage)
  }

  /// Starts the app, and sends what there is to send.
  func started(role: String = "app") async -> PushDevice {
    let push = launch(role: role).push
    await push.start()
    await push.synchronize()
    return push
  }

  private func bytes(_ count: Int) -> [UInt8] {
    random.withLock { state in
      (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
      }
    }
  }

  /// A payload of this server's.
  static func payload(_ id: String) -> JSONValue {
    ["_nid": .string(id), "aps": ["alert": "Hello"]]
  }
}
