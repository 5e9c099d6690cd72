import Foundation
import Glibc
import Synchronization

/// A server of bytes, well formed or not: each connection on a thread of its own, as long as answers
/// keep it open.
final class RawServer: Sendable {
  struct Answer: Sendable {
    enum Ending { case keep, close, reset, hold }
    var bytes: [UInt8]
    var ending: Ending

    /// - Parameter text: Head and body, with bare line feeds in the head for CR LF.
    init(_ text: String, body: [UInt8] = [], _ ending: Ending = .close) {
      bytes = Array(text.replacingOccurrences(of: "\n", with: "\r\n").utf8) + body
      self.ending = ending
    }
  }

  private struct State {
    var connections: [Int32] = []
    var requests: [String] = []
    var isStopped = false
  }

  let port: UInt16
  private let socket: Int32
  private let state = Mutex(State())
  private let answer: @Sendable (String) -> Answer

  init(_ answer: @escaping @Sendable (String) -> Answer) throws {
    self.answer = answer
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = socket
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in accept() }
  }

  /// The heads of the requests that came.
  var requests: [String] { state.withLock { $0.requests } }
  /// How many connections came, with a request or without.
  var connectionCount: Int { state.withLock { $0.connections.count } }

  func url(_ path: String = "/x", host: String = "127.0.0.1") -> URL {
    URL(string: "http://\(host):\(port)\(path)") ?? URL(filePath: "/")
  }

  /// Ends the listening and every connection.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }
    shutdown(socket, Int32(SHUT_RDWR))
  }

  private func accept() {
    while case let connection = Glibc.accept(socket, nil, nil), connection >= 0 {
      let isStopped = state.withLock { state in
        state.connections.append(connection)
        return state.isStopped
      }
      guard !isStopped else { break }
      Thread.detachNewThread { [self] in
        while serve(connection) {}
        shutdown(connection, Int32(SHUT_RDWR))
      }
    }
  }

  deinit {
    state.withLock { state in for connection in state.connections { close(connection) } }
    close(socket)
  }

  /// - Returns: Whether another request may come.
  private func serve(_ connection: Int32) -> Bool {
    guard let request = readHead(connection) else { return false }
    state.withLock { $0.requests.append(request) }
    let answer = answer(request)
    var rest = answer.bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { return false }
      rest.removeFirst(sent)
    }
    switch answer.ending {
    case .keep: return true
    case .close: return false
    case .hold: return readHead(connection) != nil
    case .reset:
      // What is sent must be read before the reset takes it away.
      var left: Int32 = 1
      while left > 0, ioctl(connection, UInt(TIOCOUTQ), &left) == 0 { sched_yield() }
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
      // Another descriptor stays in `connections`: the number is not given out again.
      let other = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      dup2(other, connection)
      close(other)
      return false
    }
  }

  /// `nil` once the peer is gone.
  private func readHead(_ connection: Int32) -> String? {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
      guard recv(connection, &byte, 1, 0) == 1 else { return nil }
      head.append(byte)
    }
    return String(decoding: head, as: UTF8.self)
  }
}
