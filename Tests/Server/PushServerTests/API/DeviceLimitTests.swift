import PushModel
import PushPayload
import Synchronization
import Testing

@testable import PushServer

@Suite("Limits of an app's devices", .timeLimit(.minutes(10)))
struct DeviceLimitTests {
  private func put(
    _ id: String, role: APIKey.Role = .device, from address: String = "192.0.2.1",
    in fixture: Fixture, to router: Router? = nil
  ) async -> Fixture.Answer {
    await fixture.request(
      "PUT", "/v6/devices/\(id)", role: role, body: #"{"device":{"tags":[]}}"#, from: address,
      to: router)
  }

  @Test("device keys register devices up to the limit, and the log warns at 80 % and at the end")
  func most() async throws {
    let fixture = try await Fixture()
    let lines = Mutex<[String]>([])
    var site = SiteSettings()
    site.deviceLimit = 10
    let router = Router(
      Actions(
        store: fixture.store, secretKey: fixture.secretKey, clock: fixture.clock.serverClock,
        site: site, log: { line in lines.withLock { $0.append(line.message) } }))
    for number in 1...10 {
      #expect(await put("d\(number)", in: fixture, to: router).status == 200)
      #expect(lines.withLock(\.count) == (number < 8 ? 0 : number < 10 ? 1 : 2), "\(number)")
    }
    let name = "the app \(fixture.app.id) has "
    #expect(
      lines.withLock(\.self) == [
        name + "8 of the 10 devices that --device-limit allows",
        name + "10 devices, all that --device-limit allows: device keys register no more",
      ])
    let refused = await put("d11", in: fixture, to: router)
    #expect(refused.status == 409)
    #expect(refused.error == "the app has reached its limit of 10 devices")
    // Devices that exist are updated, and the app's own server makes more.
    #expect(await put("d1", in: fixture, to: router).status == 200)
    #expect(await put("d11", role: .push, in: fixture, to: router).status == 200)
    let text = await fixture.request("GET", "/metrics", role: .server, to: router).text
    #expect(text.contains("martlet_app_devices{app=\"\(fixture.app.id)\"} 11\n"))
    #expect(text.contains("martlet_app_devices_limit 10\n"))
    #expect(text.contains("martlet_devices_refused_total{limit=\"limit\"} 1\n"))
    // A server that starts says it again.
    await router.prepareAudiences()
    #expect(lines.withLock(\.count) == 3)
  }

  @Test(
    "80 % of a limit is rounded up",
    arguments: [(1, 1), (2, 2), (5, 4), (6, 5), (10, 8), (4_294_967_295, 3_435_973_836)])
  func alarm(limit: Int, count: Int) { #expect(AppDevices.alarm(at: limit) == count) }

  @Test("new devices of one address are limited, those of a push key are not")
  func rate() async throws {
    var site = SiteSettings()
    site.newDevicesPerMinute = 3
    let fixture = try await Fixture(site: site)
    for number in 1...3 {
      #expect(await put("a\(number)", in: fixture).status == 200)
    }
    let refused = await put("a4", in: fixture)
    #expect(refused.status == 429)
    #expect(refused.headers["Retry-After"] == "20")
    #expect(
      refused.error == "too many requests for new devices from this address; try again in 20 s")
    #expect(try await fixture.store.device("a4", app: fixture.app.id) == nil)
    // What exists is updated, and events are taken.
    #expect(await put("a1", in: fixture).status == 200)
    #expect(await put("a4", role: .push, in: fixture).status == 200)
    #expect(await put("a5", from: "192.0.2.2", in: fixture).status == 200)
    fixture.clock.advance(by: .milliseconds(19_999))
    #expect(await put("a6", in: fixture).status == 429)
    fixture.clock.advance(by: .milliseconds(1))
    #expect(await put("a6", in: fixture).status == 200)
    let text = await fixture.request("GET", "/metrics", role: .server).text
    #expect(text.contains("martlet_devices_refused_total{limit=\"address\"} 2\n"))
  }

  @Test("the addresses of an IPv6 network of 64 bits count together")
  func networks() async throws {
    var site = SiteSettings()
    site.newDevicesPerMinute = 2
    let fixture = try await Fixture(site: site)
    let rows = [
      ("2001:db8::1", 200), ("2001:db8:0:0:ffff::2", 200), ("2001:db8::3", 429),
      ("2001:db8:0:1::3", 200), ("::ffff:192.0.2.1", 200), ("192.0.2.1", 200), ("192.0.2.1", 429),
    ]
    for (number, row) in rows.enumerated() {
      let answer = await put("d\(number)", from: row.0, in: fixture)
      #expect(answer.status == row.1, "\(row.0)")
    }
  }

  @Test("any id of 1 to 64 characters is valid", arguments: [1, 2, 24, 64])
  func ids(length: Int) async throws {
    let fixture = try await Fixture()
    let id = String(repeating: "a", count: length)
    for role in [APIKey.Role.device, .push] {
      #expect(await put(id, role: role, in: fixture).status == 200)
    }
  }
}
