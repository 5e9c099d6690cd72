import Foundation
import Glibc
import Synchronization
import TestSupport

/// A server that sends raw bytes; each connection has its own thread, as long as responses
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

  private let listener: LoopbackListener
  private let heads = Mutex<[String]>([])
  private let answer: @Sendable (String) -> Answer

  /// The heads of the received requests.
  var requests: [String] { heads.withLock { $0 } }
  /// The number of connections, with or without a request.
  var connectionCount: Int { listener.count }
  var port: UInt16 { listener.port }

  init(_ answer: @escaping @Sendable (String) -> Answer) throws {
    self.answer = answer
    listener = try LoopbackListener()
    listener.start { [self] connection in
      while serve(connection) {}
    }
  }

  func url(_ path: String = "/x", host: String = "127.0.0.1") -> URL {
    URL(string: "http://\(host):\(port)\(path)") ?? URL(filePath: "/")
  }

  /// Closes the listener and every connection.
  func stop() { listener.stop() }

  /// - Returns: Whether to wait for another request.
  private func serve(_ connection: Int32) -> Bool {
    guard let request = readHead(connection) else { return false }
    heads.withLock { $0.append(request) }
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
      LoopbackListener.resetAtClose(connection)
      return false
    }
  }

  /// `nil` once the peer has closed the connection.
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
