import PushPayload
import _EventLoop
import _HTTP2
import _HTTP2Channel
import _TLS

/// A server on this machine that reacts to a client's requests as a case says, and keeps what came.
actor ScriptedPeer {
  private let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private let context: TLSContext
  private let peer: ClientCase.Peer
  private var script: PeerScript
  private var listener: (socket: Socket, watch: EventLoop.Registration)?
  private var connections: [Int: Connection] = [:]
  private var count = 0

  private final class Connection {
    /// The number of the connection, counted from 1.
    let number: Int
    let channel: HTTP2Channel
    let watch: EventLoop.Registration
    var arriving: [Int32: PeerScript.Request] = [:]
    /// The apns-id of each request that has no answer.
    var ids: [Int32: String] = [:]
    /// The streams whose answer waits for the acknowledgement of a PING.
    var awaitingPong: [Int32] = []
    /// The last stream that is processed, once GOAWAY was sent.
    var lastStream: Int32?
    var highestAnswered: Int32 = 0

    init(_ number: Int, _ channel: HTTP2Channel, watch: EventLoop.Registration) {
      self.number = number
      self.channel = channel
      self.watch = watch
    }
  }

  init(_ test: ClientCase, certificatePEM: String, keyPEM: String) throws {
    loop = try EventLoop(name: "peer")
    context = try .server(certificatePEM: certificatePEM, keyPEM: keyPEM)
    peer = test.peer ?? ClientCase.Peer()
    script = PeerScript(test.reactions ?? [])
  }

  /// The complete requests so far.
  var requests: [PeerScript.Request] { script.requests }

  /// Starts to listen on a free port of the loopback address, and returns the port.
  func start() throws -> UInt16 {
    let socket = try Socket.listening(on: SocketAddress.lookUp(host: "127.0.0.1", port: 0)[0])
    let watch = try loop.watch(socket, for: .read) { [weak self] _ in
      self?.assumeIsolated { $0.accept() }
    }
    listener = (socket, watch)
    return socket.localPort
  }

  /// Stops listening and closes all connections.
  func stop() {
    if let listener { loop.cancel(listener.watch) }
    listener = nil
    for number in connections.keys { close(number) }
  }

  private func accept() {
    while let socket = try? listener?.socket.accepted() {
      count += 1
      let number = count
      var settings = HTTP2Session.Settings()
      settings.maxConcurrentStreams = peer.streams ?? 100
      guard
        let channel = try? HTTP2Channel(
          accepted: socket, certificate: context, settings: settings),
        let watch = try? loop.watch(
          socket, for: channel.interest,
          { [weak self] _ in
            self?.assumeIsolated { $0.ready(number) }
          })
      else { continue }
      if let window = peer.window {
        channel.session.submitSettings(streamLimit: nil, initialWindow: window)
      }
      if let table = peer.table { channel.session.submitHeaderTableSize(table) }
      connections[number] = Connection(number, channel, watch: watch)
    }
  }

  private func ready(_ number: Int) {
    guard let connection = connections[number] else { return }
    do {
      for event in try connection.channel.receive() { take(event, on: connection) }
      guard connections[number] != nil else { return }
      for event in try connection.channel.flush() { take(event, on: connection) }
      // A connection with GOAWAY stays open until the client closes it, so that a reset loses no answer.
      let isBroken = connection.channel.session.isFinished && connection.lastStream == nil
      guard !connection.channel.isLost, !isBroken else { return close(number) }
      loop.change(connection.watch, to: connection.channel.interest)
    } catch { close(number) }
  }

  private func close(_ number: Int) {
    guard let connection = connections.removeValue(forKey: number) else { return }
    loop.cancel(connection.watch)
  }

  private func take(_ event: HTTP2Session.Event, on connection: Connection) {
    switch event {
    case .headers(let stream, let fields, _) where connection.arriving[stream] == nil:
      connection.arriving[stream] = PeerScript.Request(
        connection: connection.number,
        fields: Dictionary(fields.map { ($0.name, $0.value) }) { $1 }, body: [])
    case .data(let stream, let bytes): connection.arriving[stream]?.body += bytes
    case .closed(let stream, _): connection.arriving[stream] = nil
    case .end(let stream):
      guard let request = connection.arriving.removeValue(forKey: stream),
        connection.lastStream.map({ stream <= $0 }) ?? true
      else { return }
      connection.ids[stream] = request.fields["apns-id"]
      perform(script.on(request), of: stream, on: connection)
    case .pong:
      for stream in connection.awaitingPong {
        answer(PeerScript.accept, of: stream, on: connection)
      }
      connection.awaitingPong = []
    case .headers, .settings, .goAway: break
    }
  }

  private func perform(
    _ order: PeerScript.Order, of stream: Int32, on connection: Connection
  ) {
    let session = connection.channel.session
    switch order {
    case .answer: answer(order, of: stream, on: connection)
    case .reset(let code):
      session.submitReset(stream: stream, code: HTTP2ErrorCode(rawValue: code))
    case .goAway(let answers):
      if answers { answer(PeerScript.accept, of: stream, on: connection) }
      let last = answers ? stream : connection.highestAnswered
      connection.lastStream = last
      session.submitGoAway(lastStream: last, debugData: Array(#"{"reason":"Shutdown"}"#.utf8))
    case .close:
      close(connection.number)
    case .ping:
      connection.awaitingPong.append(stream)
      session.submitPing()
    case .limit(let streams):
      session.submitStreamLimit(streams)
      answer(PeerScript.accept, of: stream, on: connection)
    }
  }

  private func answer(_ order: PeerScript.Order, of stream: Int32, on connection: Connection) {
    guard case .answer(let status, let reason, let timestamp) = order else { return }
    connection.highestAnswered = max(connection.highestAnswered, stream)
    let id = connection.ids.removeValue(forKey: stream)
    var headers = HeaderBlock()
    headers.append(":status", String(status))
    if let id { headers.append("apns-id", id) }
    guard let reason else {
      return connection.channel.session.submitResponse(stream: stream, headers)
    }
    headers.append("content-type", "application/json")
    var body: [String: JSONValue] = ["reason": .string(reason)]
    body["timestamp"] = timestamp.map(JSONValue.integer)
    connection.channel.session.submitResponse(
      stream: stream, headers, body: Array(JSONValue.object(body).serialized()))
  }
}
