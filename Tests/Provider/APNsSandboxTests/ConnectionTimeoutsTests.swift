import APNsConformance
import APNsTestSupport
import APNs
import TestSupport
import Testing
import _EventLoop

@testable import APNsSandbox

@Suite("Connection timeouts of the sandbox", .timeLimit(.minutes(10)))
struct ConnectionTimeoutsTests {
  static let limits: ConnectionTimeouts.Limits = {
    var configuration = VirtualAPNs.Configuration(certificatePEM: "", keyPEM: "")
    configuration.idleTimeout = .seconds(100)
    return ConnectionTimeouts.Limits(configuration)
  }()

  private func activity(
    isOpen: Bool = true, oldest: Duration? = nil, isAnswering: Bool = false,
    isBlocked: Bool = false, sent: Int = 0
  ) -> ConnectionTimeouts.Activity {
    .init(
      isOpen: isOpen, oldestArrival: oldest, isAnswering: isAnswering, isBlocked: isBlocked,
      sent: sent)
  }

  @Test(
    "a TLS handshake times out after ten seconds",
    arguments: [(9, .keep), (10, .slow)] as [(Int, ConnectionTimeouts.Verdict)])
  func handshake(second: Int, verdict: ConnectionTimeouts.Verdict) {
    var timeouts = ConnectionTimeouts(Self.limits, at: .seconds(5))
    timeouts.received(at: .seconds(14))
    #expect(timeouts.check(activity(isOpen: false), at: .seconds(5 + second)) == verdict)
  }

  @Test(
    "an incomplete request times out after thirty seconds",
    arguments: [(29, .keep), (30, .slow)] as [(Int, ConnectionTimeouts.Verdict)])
  func request(second: Int, verdict: ConnectionTimeouts.Verdict) {
    var timeouts = ConnectionTimeouts(Self.limits, at: .zero)
    timeouts.received(at: .seconds(20 + second))
    #expect(
      timeouts.check(activity(oldest: .seconds(20)), at: .seconds(20 + second)) == verdict)
  }

  @Test("a client times out thirty seconds after it last read response bytes")
  func reading() {
    var timeouts = ConnectionTimeouts(Self.limits, at: .zero)
    #expect(timeouts.check(activity(isBlocked: true, sent: 10), at: .seconds(60)) == .keep)
    #expect(timeouts.check(activity(isBlocked: true, sent: 10), at: .seconds(89)) == .keep)
    #expect(timeouts.check(activity(isBlocked: true, sent: 11), at: .seconds(90)) == .keep)
    #expect(timeouts.check(activity(isBlocked: true, sent: 11), at: .seconds(119)) == .keep)
    #expect(timeouts.check(activity(isBlocked: true, sent: 11), at: .seconds(120)) == .slow)
  }

  @Test("a silent connection is idle unless a request or a response is in progress")
  func idle() {
    var timeouts = ConnectionTimeouts(Self.limits, at: .zero)
    timeouts.received(at: .seconds(50))
    #expect(timeouts.check(activity(), at: .seconds(149)) == .keep)
    #expect(timeouts.check(activity(isAnswering: true), at: .seconds(150)) == .keep)
    #expect(timeouts.check(activity(oldest: .seconds(149)), at: .seconds(150)) == .keep)
    #expect(timeouts.check(activity(), at: .seconds(150)) == .idle)
  }

  @Test("timeouts are checked every quarter of the shortest limit, and at least every second")
  func period() {
    #expect(Self.limits.period == .seconds(1))
    var limits = Self.limits
    limits.idle = .milliseconds(100)
    #expect(limits.period == .milliseconds(25))
    limits.idle = .zero
    #expect(limits.period == .milliseconds(1))
  }

  @Test("on the wire an idle connection gets a GOAWAY with IdleTimeout")
  func idleOnTheWire() async throws {
    let clock = ManualClock()
    let fixture = try await SandboxFixture.start { $0.clock = clock }
    let client = try await RawClient.connect(fixture)
    #expect(try await client.send(RawRequest(authorization: fixture.authorization())).status == 200)
    // Late bytes of the client, such as the acknowledgement of SETTINGS, restart the hour.
    try await until {
      clock.advance(by: .seconds(3600))
      return await client.isEnded
    }
    #expect(await client.ended() == "IdleTimeout")
    await fixture.sandbox.stop()
  }

  @Test("on the wire an incomplete request closes the connection without a GOAWAY")
  func slowOnTheWire() async throws {
    let clock = ManualClock()
    let fixture = try await SandboxFixture.start {
      $0.clock = clock
      $0.idleTimeout = .seconds(1 << 40)
    }
    let client = try await RawClient.connect(fixture)
    #expect(try await client.send(RawRequest(authorization: fixture.authorization())).status == 200)
    // POST, https and a path, and the stream stays open (RFC 7541 appendix A).
    await client.send(raw: Frame.headers(3, [0x83, 0x87, 0x84], flags: Frame.endHeaders))
    // The timeout starts when the request arrives.
    try await until {
      clock.advance(by: .seconds(1))
      return await client.isEnded
    }
    #expect(await client.ended() == nil)
    await fixture.sandbox.stop()
  }

  @Test("on the wire a missing TLS handshake closes the connection")
  func silentOnTheWire() async throws {
    let clock = ManualClock()
    let fixture = try await SandboxFixture.start { $0.clock = clock }
    let address = try SocketAddress.lookUp(host: "127.0.0.1", port: fixture.port)[0]
    let socket = try Socket.connecting(to: address)
    var buffer = [UInt8](repeating: 0, count: 16)
    var count: Int?
    try await until {
      clock.advance(by: .seconds(1))
      // Reading fails until the socket is connected.
      count = (try? socket.read(into: &buffer)) ?? nil
      return count != nil
    }
    #expect(count == 0)
    await fixture.sandbox.stop()
  }
}
