import Glibc
import Synchronization
import TestSupport

/// An HTTP proxy whose responses to CONNECT a test decides.
final class ScriptedProxy: Sendable {
  enum Answer: Sendable {
    /// Writes each of the given texts by itself, and then opens a tunnel to a port of this machine.
    case tunnel(port: UInt16, [String])
    /// Writes the text and closes the connection.
    case text(String)
    /// Writes nothing until the client closes the connection.
    case silence
  }

  private let listener: LoopbackListener
  private let answer: @Sendable (_ request: String) -> Answer
  private let taken = Mutex<[String]>([])

  var port: UInt16 { listener.port }
  /// The CONNECT requests, header included.
  var requests: [String] { taken.withLock { $0 } }

  init(_ answer: @escaping @Sendable (_ request: String) -> Answer) throws {
    self.answer = answer
    listener = try LoopbackListener()
    listener.start { [self] in serve($0) }
  }

  func stop() { listener.stop() }

  private func serve(_ client: Int32) {
    var bytes = [UInt8](repeating: 0, count: 65536)
    var request = ""
    while !request.hasSuffix("\r\n\r\n") {
      let count = read(client, &bytes, bytes.count)
      guard count > 0 else { return }
      request += String(decoding: bytes[..<count], as: UTF8.self)
    }
    taken.withLock { [request] in $0.append(request) }
    func say(_ text: String) { _ = write(client, Array(text.utf8), text.utf8.count) }
    switch answer(request) {
    case .text(let text): say(text)
    case .silence: _ = read(client, &bytes, bytes.count)
    case .tunnel(let port, let parts):
      guard let server = LoopbackListener.connect(to: port) else { return }
      defer { close(server) }
      for part in parts { say(part) }
      pass(client, server, &bytes)
    }
  }

  private func pass(_ client: Int32, _ server: Int32, _ bytes: inout [UInt8]) {
    while true {
      var ready = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&ready, 2, -1) > 0 else { return }
      for (index, other) in [server, client].enumerated() where ready[index].revents != 0 {
        let count = read(ready[index].fd, &bytes, bytes.count)
        guard count > 0, write(other, bytes, count) == count else { return }
      }
    }
  }
}
