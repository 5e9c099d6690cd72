import APNsTestSupport
import APNs
import Glibc
import TestSupport
import Testing
import _TLS

/// Load balancers do this when they are full: the handshake ends, and so does the connection.
@Suite("A connection that ends as it opens", .timeLimit(.minutes(10)))
struct ShortLivedConnectionTests {
  @Test("is tried again until the push has no time left, and later pushes connect again")
  func endsAtOnce() async throws {
    let authority = try CertificateAuthority()
    let leaf = try authority.issue(hosts: ["127.0.0.1"])
    let context = try TLSContext.server(
      certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM, takesHTTP2: true)
    let listener = try LoopbackListener()
    listener.start { connection in
      // TLS 1.3: with its first flight the server has said all, so its end can come in the same read.
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
      // The wait between attempts may be longer than one push has; it ends all the same.
      repeat {
        let outcome = await client.send(push())
        // Maybe sent where the end was seen after the request had been written.
        #expect(outcome.message?.contains("closed the") == true, "\(outcome)")
      } while listener.count == connections
    }
    await client.close()
  }
}

/// Waits until something can be read, or the peer is gone.
private func isReadable(_ descriptor: Int32) -> Bool {
  var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&ready, 1, 10_000) == 1
}
