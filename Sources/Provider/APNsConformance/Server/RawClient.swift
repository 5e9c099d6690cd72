import Foundation
package import PushPayload
import _EventLoop
import _HTTP2
import _HTTP2Channel
package import _TLS

/// A request as header fields, any of which can be changed.
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

/// The answer to a ``RawRequest``; its status is 0 if the stream ended without one.
package struct RawAnswer: Sendable {
  package var status = 0
  package var headers: [String: String] = [:]
  package var body: [UInt8] = []
  package var json: JSONValue? { try? JSONValue(parsing: Data(body)) }

  package init() {}
}

/// A client of APNs that validates nothing, so that it can send requests with faults.
package actor RawClient {
  private let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private let channel: HTTP2Channel
  private let timeout: Duration?
  private var watch: EventLoop.Registration?
  private var answers: [Int32: RawAnswer] = [:]
  /// The streams of the last requests that are not closed.
  private var unfinished: Set<Int32> = []
  private var isSettled = false
  private var waiting: CheckedContinuation<Void, any Error>?
  private var timer: EventLoop.Registration?
  private var farewell: String?

  private init(_ channel: HTTP2Channel, _ loop: EventLoop, timeout: Duration?) {
    self.channel = channel
    self.loop = loop
    self.timeout = timeout
  }

  /// Connects and waits for the server's settings.
  ///
  /// - Parameters:
  ///   - host: The name to look up, which the server's certificate must have.
  ///   - port: The port.
  ///   - trust: The TLS context.
  ///   - address: The name to look up instead of the host.
  ///   - timeout: The longest wait for anything; `nil` waits as long as the connection lasts.
  /// - Returns: The client.
  /// - Throws: The error of the connection, or ``ConformanceError`` if the time is over.
  package static func connect(
    host: String, port: UInt16, trust: TLSContext, at address: String? = nil,
    timeout: Duration? = nil
  ) async throws -> RawClient {
    let address = try SocketAddress.lookUp(host: address ?? host, port: port)[0]
    let channel = try HTTP2Channel(to: address, host: host, trust: trust)
    let client = RawClient(channel, try EventLoop(name: "raw"), timeout: timeout)
    try await client.start()
    return client
  }

  private func start() async throws {
    watch = try loop.watch(channel.socket, for: channel.interest) { [weak self] _ in
      self?.assumeIsolated { $0.ready() }
    }
    try await wait("the server's SETTINGS") {}
  }

  /// The number of streams that the server allows; `nil` if it sets no limit.
  package var streamLimit: Int? { channel.session.remoteStreamLimit }

  /// Sends a request and waits for its answer.
  package func send(_ request: RawRequest) async throws -> RawAnswer {
    try await send([request])[0]
  }

  /// Sends requests at once, and waits until all of their streams are closed.
  ///
  /// - Returns: The answers in the order of the requests.
  /// - Throws: The error that ended the connection, or ``ConformanceError`` if the time is over.
  package func send(_ requests: [RawRequest]) async throws -> [RawAnswer] {
    answers = [:]
    let streams = try requests.map { request in
      var block = HeaderBlock()
      for (name, value) in request.fields { block.append(dynamicName: name, value) }
      return try channel.session.submitRequest(block, body: Array(request.body.utf8))
    }
    unfinished = Set(streams)
    try await wait("an answer") { step {} }
    return streams.map { answers[$0] ?? RawAnswer() }
  }

  /// Sends PING and waits for its acknowledgement.
  ///
  /// - Throws: The error that ended the connection, or ``ConformanceError`` if the time is over.
  package func ping() async throws {
    try await wait("the answer to a PING") { step { channel.session.submitPing() } }
  }

  /// Sends bytes unchanged.
  package func send(raw bytes: [UInt8]) {
    step { channel.session.submitRaw(bytes) }
  }

  package var isEnded: Bool { watch == nil }

  /// Waits until the connection closes, and returns the reason of its GOAWAY.
  package func ended() async -> String? {
    while watch != nil { try? await wait("the end of the connection") {} }
    return farewell
  }

  /// Closes the connection.
  package func close() {
    if let watch { loop.cancel(watch) }
    watch = nil
    channel.close()
  }

  private func wait(_ what: String, _ body: () -> Void) async throws {
    try await withCheckedThrowingContinuation {
      waiting = $0
      if let timeout {
        timer = loop.schedule(at: .now + timeout) { [weak self] in
          self?.assumeIsolated { client in
            let message = "\(what) did not come within \(timeout)"
            client.finish(.failure(ConformanceError(.noAnswer, message)))
          }
        }
      }
      body()
    }
  }

  private func ready() {
    step {
      for event in try channel.receive() { take(event) }
      if channel.isLost { throw TLSError(.closed, "the server closed the connection") }
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
    case .headers(let stream, let fields, _):
      var answer = answers[stream] ?? RawAnswer()
      for field in fields { answer.headers[field.name] = field.value }
      answer.status = answer.headers[":status"].flatMap { Int($0) } ?? 0
      answers[stream] = answer
    case .data(let stream, let bytes): answers[stream, default: RawAnswer()].body += bytes
    case .closed(let stream, _):
      if unfinished.remove(stream) != nil, unfinished.isEmpty { finish(.success(())) }
    case .settings where !isSettled:
      isSettled = true
      finish(.success(()))
    case .pong: finish(.success(()))
    case .goAway(_, _, let debugData):
      farewell = (try? JSONValue(parsing: Data(debugData)))?["reason"]?.string
    case .settings, .end: break
    }
  }

  private func finish(_ result: Result<Void, any Error>) {
    if let timer { loop.cancel(timer) }
    timer = nil
    waiting?.resume(with: result)
    waiting = nil
  }
}
