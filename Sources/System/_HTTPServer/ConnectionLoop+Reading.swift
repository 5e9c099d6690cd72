import Synchronization
import _EventLoop

extension ConnectionLoop {
  /// Handles a socket that is ready.
  func ready(_ id: Int) {
    guard let connection = connections[id] else { return }
    // A socket that is watched for no operation reports only errors and hang-ups.
    guard connection.interest != [] else { return close(connection) }
    advance(connection)
  }

  /// Reads and writes as much as the socket allows, and watches the socket for the next operations.
  func advance(_ connection: Connection) {
    do {
      var reads = Self.readsPerTurn
      while connections[connection.id] != nil {
        let wantsMore = try consume(connection)
        // After an answer, the next request may already have been received.
        if try flush(connection) { continue }
        guard wantsMore, reads > 0, try read(connection) else { break }
        reads -= 1
      }
      guard connections[connection.id] != nil else { return }
      if reads == 0, connection.reads, connection.transport.hasPending {
        // The socket does not become readable for bytes that TLS holds.
        let id = connection.id
        _ = loop.schedule(at: .now) { [weak self] in
          self?.assumeIsolated { loop in loop.connections[id].map { loop.advance($0) } }
        }
      }
      watch(connection)
    } catch {
      close(connection)
    }
  }

  private func watch(_ connection: Connection) {
    var interest = connection.transport.extraInterest
    if connection.reads { interest.insert(.read) }
    if !connection.output.isEmpty { interest.insert(.write) }
    guard interest != connection.interest else { return }
    connection.interest = interest
    loop.change(connection.registration, to: interest)
  }

  /// Reads once from the socket.
  ///
  /// - Returns: Whether more bytes may be available.
  private func read(_ connection: Connection) throws -> Bool {
    if case .lingering(let left) = connection.phase {
      switch try connection.transport.discard(into: &input) {
      case .bytes(let count) where count < left:
        connection.phase = .lingering(left: left - count)
        return true
      case .later: return false
      case .bytes, .closed:
        close(connection)
        return false
      }
    }
    switch try connection.transport.read(into: &input) {
    case .later: return false
    case .closed:
      close(connection)
      return false
    case .bytes(let count):
      connection.reader.append(input[..<count])
      return true
    }
  }

  /// Handles the received bytes.
  ///
  /// - Returns: Whether more must be read.
  private func consume(_ connection: Connection) throws -> Bool {
    while true {
      switch connection.phase {
      case .proxy(var header):
        guard try readProxyHeader(connection, &header) else { return false }
      case .handshake:
        guard try connection.transport.open() else { return false }
        connection.phase = .head
      case .head:
        switch connection.reader.next() {
        case .head(let head): received(head, on: connection)
        case .refused(let refusal): refuse(connection, refusal)
        case .body, .end, nil: return true
        }
      case .body(let target):
        guard !connection.isPaused else { return false }
        switch connection.reader.next() {
        case .body(let bytes): received(bytes, for: target, on: connection)
        case .end: completeBody(target, on: connection)
        case .refused(let refusal):
          connection.incoming?.end(.failure(.malformed))
          refuse(connection, refusal)
        case .head, nil:
          sendContinue(connection)
          return true
        }
      case .lingering: return true
      case .judging, .handling: return false
      case .answering:
        return connection.reads
      }
    }
  }

  // MARK: The beginning of a connection

  /// Reads a trusted proxy's header, if the connection has one.
  ///
  /// - Returns: Whether the connection's own bytes can begin.
  private func readProxyHeader(
    _ connection: Connection, _ header: inout ProxyHeader
  ) throws -> Bool {
    var progress = header.next()
    while case .more(let count) = progress {
      if shared.tls.withLock({ $0 != nil }) {
        // The first byte of TLS stays in the socket, from which the library reads it.
        guard let first = try connection.transport.socket.peek() else { break }
        if first == [0x16], header.isEmpty {
          progress = .absent([])
          break
        }
      }
      var bytes = [UInt8](repeating: 0, count: count)
      guard let read = try connection.transport.socket.read(into: &bytes) else { break }
      guard read > 0 else {
        close(connection)
        return false
      }
      progress = header.next(bytes[..<read])
    }
    connection.phase = .proxy(header)
    switch progress {
    case .more: return false
    case .malformed:
      close(connection)
      return false
    case .absent(let bytes):
      connection.reader.append(bytes)
    case .done(let address?):
      if !shared.forwarded.isTrusted(address) {
        guard let networks = shared.addConnection(of: address) else {
          close(connection)
          return false
        }
        connection.networks = networks
      }
      connection.address = address
    case .done(nil): break
    }
    beginTLS(connection)
    return connections[connection.id] != nil
  }

  /// Begins the TLS handshake if the server has a certificate.
  func beginTLS(_ connection: Connection) {
    connection.phase = .handshake
    guard let context = shared.tls.withLock(\.self) else { return }
    if (try? connection.transport.startTLS(context)) == nil { close(connection) }
  }
}
