import APNs
import Foundation
import PushCrypto
package import PushPayload
import _EventLoop
import _HTTP2
import _HTTP2Channel
import _OpenSSLCrypto
package import _TLS

/// A request as header fields, any of which a test can change.
package struct RawRequest: Sendable {
  package var fields: [(name: String, value: String)]
  package var body = #"{"aps":{"alert":"Hello"}}"#

  package init(authorization: String) {
    fields = [
      (":method", "POST"), (":scheme", "https"), (":authority", "localhost"),
      (":path", "/3/device/0a0b"), ("authorization", authorization),
      ("apns-id", UUID().uuidString.lowercased()), ("apns-topic", "com.example.app"),
      ("apns-push-type", "alert"),
    ]
  }

  package subscript(name: String) -> String? {
    get { fields.first { $0.name == name }?.value }
    set {
      if let index = fields.firstIndex(where: { $0.name == name }) {
        if let newValue { fields[index].value = newValue } else { fields.remove(at: index) }
      } else if let newValue {
        fields.append((name, newValue))
      }
    }
  }
}

package struct RawAnswer: Sendable {
  package var status = 0
  package var headers: [String: String] = [:]
  package var body: [UInt8] = []
  package var json: JSONValue? { try? JSONValue(parsing: Data(body)) }
}

/// A client that validates nothing and sends one request at a time.
package actor RawClient {
  private let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private let channel: HTTP2Channel
  private var watch: EventLoop.Registration?
  private var answer = RawAnswer()
  private var isOpened = false
  private var isSettled = false
  private var waiting: CheckedContinuation<RawAnswer, any Error>?
  private var farewell: String?

  private init(_ channel: HTTP2Channel, _ loop: EventLoop) {
    self.channel = channel
    self.loop = loop
  }

  package static func connect(
    _ fixture: SandboxFixture, alpn: [String] = ["h2"], identity: TLSIdentity? = nil
  ) async throws -> RawClient {
    let trust = try TLSContext.client(
      extraTrustPEM: fixture.authority.certificatePEM, alpn: alpn, identity: identity)
    let address = try SocketAddress.lookUp(host: "127.0.0.1", port: fixture.port)[0]
    return try await open(address, trust)
  }

  private static func open(_ address: SocketAddress, _ trust: TLSContext) async throws -> RawClient
  {
    let channel = try HTTP2Channel(to: address, host: "localhost", trust: trust)
    let client = RawClient(channel, try EventLoop(name: "raw"))
    _ = try await client.start()
    return client
  }

  private func start() async throws -> RawAnswer {
    watch = try loop.watch(channel.socket, for: channel.interest) { [weak self] _ in
      self?.assumeIsolated { $0.ready() }
    }
    return try await withCheckedThrowingContinuation { waiting = $0 }
  }

  package var streamLimit: Int? { channel.session.remoteStreamLimit }

  package func send(_ request: RawRequest) async throws -> RawAnswer {
    answer = RawAnswer()
    var block = HeaderBlock()
    for (name, value) in request.fields { block.append(dynamicName: name, value) }
    _ = try channel.session.submitRequest(block, body: Array(request.body.utf8))
    return try await withCheckedThrowingContinuation {
      waiting = $0
      step {}
    }
  }

  /// Sends bytes unchanged.
  package func send(raw bytes: [UInt8]) {
    step { channel.session.submitRaw(bytes) }
  }

  package var isEnded: Bool { watch == nil }

  /// Waits until the connection closes, and returns the reason of its GOAWAY.
  package func ended() async -> String? {
    while watch != nil {
      _ = try? await withCheckedThrowingContinuation { waiting = $0 }
    }
    return farewell
  }

  private func ready() {
    step {
      for event in try channel.receive() { take(event) }
      if channel.isLost { throw TLSError(.closed, "closed") }
    }
  }

  private func step(_ body: () throws -> Void) {
    do {
      try body()
      for event in try channel.flush() { take(event) }
      if let watch { loop.change(watch, to: channel.interest) }
    } catch {
      if let watch { loop.cancel(watch) }
      watch = nil
      finish(.failure(error))
    }
  }

  private func take(_ event: HTTP2Session.Event) {
    switch event {
    case .headers(_, let fields, _):
      for field in fields { answer.headers[field.name] = field.value }
      answer.status = answer.headers[":status"].flatMap { Int($0) } ?? 0
    case .data(_, let bytes): answer.body += bytes
    case .closed: finish(.success(answer))
    case .settings where !isSettled:
      isSettled = true
      finish(.success(answer))
    case .goAway(_, _, let debugData):
      farewell = (try? JSONValue(parsing: Data(debugData)))?["reason"]?.string
    default: break
    }
  }

  private func finish(_ result: Result<RawAnswer, any Error>) {
    waiting?.resume(with: result)
    waiting = nil
  }
}

extension SandboxFixture {
  /// A valid `authorization` header.
  package func authorization(issuedAt: Int64 = Int64(Date().timeIntervalSince1970)) throws -> String
  {
    let key = try OpenSSLCrypto().privateKey(pem: credentials.privateKeyPEM)
    return try "bearer "
      + Self.token(
        team: credentials.teamID, key: credentials.keyID, issuedAt: issuedAt, signedBy: key
      ).compact
  }

  private static func token(
    team: String, key: String, issuedAt: Int64, signedBy signer: some ES256PrivateKey
  ) throws -> ProviderToken {
    try ProviderToken(teamID: team, keyID: key, issuedAt: issuedAt, signedBy: signer)
  }
}
