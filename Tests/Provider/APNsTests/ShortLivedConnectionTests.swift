import APNsTestSupport
import APNs
import Glibc
import TestSupport
import Testing
import _TLS

/// Connections that the server closes right after the TLS handshake, as a load balancer at capacity does.
@Suite("A connection closed right after its handshake", .timeLimit(.minutes(10)))
struct ShortLivedConnectionTests {
  @Test("the client reconnects until the push's deadline, and later pushes connect again")
  func endsAtOnce() async throws {
    let authority = try CertificateAuthority()
    let leaf = try authority.issue(hosts: ["127.0.0.1"])
    let context = try TLSContext.server(
      certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM, takesHTTP2: true)
    let listener = try LoopbackListener()
    listener.start { connection in
      // TLS 1.3: the server's first flight completes its side, so the close can come in the same read.
      _ = fcntl(connection, F_SETFL, O_NONBLOCK)
      guard isReadable(connection),
        let tls = try? TLSConnection(server: context, fileDescriptor: connection),
        case .wantsRead = try? tls.handshake()
      else { return }
      shutdown(connection, Int32(SHUT_WR))
      _ = isReadable(connection)
    }
    defer { listener.stop() }

    var configuration = APNsClient.Configuration(
      credentials: .token(.made()),
      endpoint: .custom(host: "127.0.0.1", port: listener.port))
    configuration.extraTrustPEM = authority.certificatePEM
    configuration.requestTimeout = .seconds(1)
    let client = try APNsClient(configuration: configuration)
    for _ in 1...3 {
      let connections = listener.count
      // The backoff between attempts may exceed one push's deadline.
      repeat {
        let outcome = await client.send(push())
        // The push is maybe sent if the close was read after the request had been written.
        // On a busy machine the first attempt may take longer than the deadline.
        let message = outcome.message ?? ""
        #expect(
          message.contains("closed the") || message.contains("still connecting"), "\(outcome)")
      } while listener.count == connections
    }
    await client.close()
  }
}

/// Waits until the descriptor is readable or the peer has closed.
private func isReadable(_ descriptor: Int32) -> Bool {
  var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&ready, 1, 10_000) == 1
}
