import APNs
import PushModel
import PushStore
import TestSupport
import Testing

@testable import PushServer

/// Three nodes on one PostgreSQL database with an app and its devices.
struct CampaignNodes {
  let clock = ManualClock()
  let apple = FakeApple()
  let secretKey: SecretKey
  let stores: [PostgreSQLPushStore]
  let app: String

  init(url: String, devices count: Int) async throws {
    secretKey = try #require(SecretKey(SecretKey.randomBytes()))
    var stores: [PostgreSQLPushStore] = []
    for _ in 0..<3 {
      stores.append(try await PostgreSQLPushStore(url: url, leaseClock: .caller))
    }
    self.stores = stores
    let app = try Fixture.newApp().make(at: clock.now, sealedWith: secretKey)
    try await stores[0].add(app.app, keys: app.records)
    self.app = app.app.id
    let devices = (0..<count).map { number in
      ImportedDevice(id: "d\(number)", token: Fixture.token("d\(number)"), patch: DevicePatch())
    }
    try await stores[0].importDevices(devices, app: app.app.id, at: clock.now)
  }

  func runner(of place: Int) -> CampaignRunner {
    Actions(store: stores[place], secretKey: secretKey, clock: clock.serverClock).campaignRunner
  }

  func dispatcher(of place: Int) -> Dispatcher {
    Dispatcher(
      store: stores[place], sender: apple, clock: clock.serverClock, owner: "node \(place)",
      workers: 1)
  }

  /// The number of pushes that each device got, by its token.
  var received: [String: Int] {
    Dictionary(grouping: apple.taken, by: \.push.deviceToken).mapValues(\.count)
  }
}
