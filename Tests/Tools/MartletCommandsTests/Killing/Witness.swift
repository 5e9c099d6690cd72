import APNsSandbox
import Synchronization
import _TLS

/// A model of APNs that stops answering after a number of pushes, until it recovers.
final class Witness: Sendable {
  let caPEM: String
  let url: String
  private let sandbox: VirtualAPNs
  private let state: State

  private final class State: Sendable {
    let accepted = Mutex<[SandboxDelivery]>([])
    let deliveries = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let stalls = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  init(p8: String, stallsAfter limit: Int) async throws {
    let authority = try CertificateAuthority()
    let leaf = try authority.issue(hosts: ["127.0.0.1"])
    var configuration = VirtualAPNs.Configuration(
      certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM)
    configuration.providerKeys = [.init(teamID: "TEAM123456", keyID: "KEY1234567", pem: p8)]
    let state = State()
    configuration.onDelivery = { delivery in
      state.accepted.withLock { $0.append(delivery) }
      state.deliveries.continuation.yield()
    }
    configuration.script = FaultScript([.init(.stall, after: limit, count: .max)])
    configuration.journal = { line in
      if line.contains(#""status":null"#) { state.stalls.continuation.yield() }
    }
    self.state = state
    caPEM = authority.certificatePEM
    sandbox = try VirtualAPNs(configuration: configuration)
    url = "https://127.0.0.1:\(try await sandbox.start())"
  }

  var accepted: [SandboxDelivery] { state.accepted.withLock(\.self) }

  /// Returns once it has received a number of pushes.
  func reached(_ count: Int) async {
    let isReached = { self.state.accepted.withLock { $0.count >= count } }
    if isReached() { return }
    for await _ in state.deliveries.stream where isReached() { return }
  }

  func stalled() async { for await _ in state.stalls.stream { return } }
  func recover() async { await sandbox.run(FaultScript()) }
  func stop() async { await sandbox.stop() }
}
