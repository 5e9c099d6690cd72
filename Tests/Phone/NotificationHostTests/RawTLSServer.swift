import Foundation
import Glibc
import Synchronization
import TestSupport
import _TLS

/// An HTTPS server that sends raw bytes; each connection has its own thread and one
/// response.
final class RawTLSServer: Sendable {
  struct Answer: Sendable {
    enum Ending: Sendable {
      /// The connection is closed properly.
      case close
      /// The connection is reset.
      case reset
      /// Nothing more is sent, and the connection stays open.
      case hold
      /// The given bytes are repeated, as fast as possible or a few times per second.
      case endless([UInt8])
      case drip([UInt8])
    }

    var bytes: [UInt8]
    var ending: Ending

    /// - Parameter text: The head, with bare line feeds for CR LF.
    init(_ text: String, body: some Sequence<UInt8> = [], _ ending: Ending = .close) {
      bytes = Array(text.replacingOccurrences(of: "\n", with: "\r\n").utf8) + body
      self.ending = ending
    }

    /// A response with status 200, the given fields, and by default the true length.
    static func ok(
      _ fields: String..., length: Int? = nil, body: [UInt8], sent: Int? = nil,
      _ ending: Ending = .close
    ) -> Answer {
      let head = ["HTTP/1.1 200 OK"] + fields + ["Content-Length: \(length ?? body.count)", "", ""]
      return Answer(
        head.joined(separator: "\n"), body: body.prefix(sent ?? body.count), ending)
    }
  }

  private let listener: LoopbackListener
  private let context: TLSContext
  private let heads = Mutex<[String]>([])
  private let answer: @Sendable (_ head: String, _ number: Int) -> Answer

  var port: UInt16 { listener.port }
  /// The heads of the received requests.
  var requests: [String] { heads.withLock { $0 } }

  /// - Parameter answer: Returns the response for a request's head and the number of earlier requests.
  init(
    _ certificate: (certificatePEM: String, keyPEM: String),
    _ answer: @escaping @Sendable (String, Int) -> Answer
  ) throws {
    self.answer = answer
    context = try TLSContext.server(
      certificatePEM: certificate.certificatePEM, keyPEM: certificate.keyPEM, takesHTTP2: false)
    listener = try LoopbackListener()
    listener.start { [self] in serve($0) }
  }

  /// Closes the listener and every connection.
  func stop() { listener.stop() }

  private func serve(_ connection: Int32) {
    guard let tls = try? TLSConnection(server: context, fileDescriptor: connection),
      case .done = (try? tls.handshake()) ?? .closed, let head = readHead(tls)
    else { return }
    let number = heads.withLock { heads in
      heads.append(head)
      return heads.count - 1
    }
    let answer = answer(head, number)
    guard write(answer.bytes, tls) else { return }
    switch answer.ending {
    case .close: tls.shutdown()
    case .hold: while let byte = readSome(tls), byte > 0 {}
    case .endless(let bytes): while write(bytes, tls) {}
    case .drip(let bytes): while write(bytes, tls), !isGone(connection, within: 20) {}
    case .reset: LoopbackListener.resetAtClose(connection)
    }
  }

  private func write(_ bytes: [UInt8], _ tls: TLSConnection) -> Bool {
    var sent = 0
    while sent < bytes.count {
      guard case .done(let count)? = try? tls.write(bytes, from: sent) else { return false }
      sent += count
    }
    return true
  }

  /// Waits for data or the end of the connection, with a timeout in milliseconds.
  private func isGone(_ connection: Int32, within milliseconds: Int32) -> Bool {
    var wanted = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
    return poll(&wanted, 1, milliseconds) != 0
  }

  private func readSome(_ tls: TLSConnection) -> Int? {
    var buffer = [UInt8](repeating: 0, count: 1024)
    guard case .done(let count)? = try? tls.read(into: &buffer) else { return nil }
    return count
  }

  /// `nil` once the peer has closed the connection.
  private func readHead(_ tls: TLSConnection) -> String? {
    var head: [UInt8] = []
    var byte: [UInt8] = [0]
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
      guard case .done(1)? = try? tls.read(into: &byte) else { return nil }
      head.append(byte[0])
    }
    return String(decoding: head, as: UTF8.self)
  }
}
