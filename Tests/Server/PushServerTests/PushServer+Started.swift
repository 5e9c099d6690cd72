import PushModel
import _HTTPServer

@testable import PushServer

extension PushServer {
  /// Makes a server that runs until the test stops it.
  static func started(
    _ configuration: Configuration, store: any PushStore, secretKey: SecretKey,
    sender: any PushSender, metrics: ServerMetrics = ServerMetrics(), clock: ServerClock = .system,
    requests: (@Sendable (RequestLine) -> Void)? = nil, log: @escaping @Sendable (LogLine) -> Void
  ) throws(HTTPServerError) -> PushServer {
    let server = try PushServer(
      configuration, store: store, secretKey: secretKey, sender: sender, metrics: metrics,
      clock: clock, requests: requests, log: log)
    Task { await server.run() }
    return server
  }
}
