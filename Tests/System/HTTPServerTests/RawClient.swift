import Foundation
import Glibc
import _HTTPServer

/// Runs blocking work on a thread of its own, since Swift's pool has few threads, which the server
/// needs.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: work()) }
  }
}

/// A TCP client that sends any bytes, well formed or not, and reads until a condition holds.
final class RawClient: Sendable {
  private let socket: Int32

  init(port: UInt16) {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    // Nagle's algorithm would hold small writes back until the server has acknowledged the ones
    // before.
    var on: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  deinit { close(socket) }

  /// Sends bytes; returns `false` where the peer has closed the connection.
  @discardableResult
  func send(_ bytes: [UInt8]) async -> Bool {
    await onThread { [socket] in
      var rest = bytes[...]
      while !rest.isEmpty {
        let sent = rest.withUnsafeBytes {
          Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent > 0 else { return false }
        rest.removeFirst(sent)
      }
      return true
    }
  }

  @discardableResult
  func send(_ text: String) async -> Bool { await send(Array(text.utf8)) }

  /// Reads everything until the server closes the connection.
  func readToEnd() async -> String {
    await read(until: { _ in false })
  }

  /// Reads until the condition holds for everything that arrived, or the server closes.
  func read(until done: @escaping @Sendable (String) -> Bool) async -> String {
    await onThread { [socket] in
      var all: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65536)
      while !done(String(decoding: all, as: UTF8.self)) {
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        all += buffer[..<count]
      }
      return String(decoding: all, as: UTF8.self)
    }
  }

  /// Reads one answer that has a Content-Length.
  func readAnswer() async -> String {
    await read { text in
      guard let end = text.range(of: "\r\n\r\n") else { return false }
      let length = text[..<end.lowerBound].split(separator: "\r\n")
        .first { $0.lowercased().hasPrefix("content-length:") }
        .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
      return text[end.upperBound...].utf8.count >= (length ?? 0)
    }
  }
}

extension HTTPServer.Configuration {
  /// A configuration with deadlines that no busy machine reaches; a test of a deadline sets its
  /// own.
  static var patient: Self {
    var configuration = Self()
    configuration.headerDeadline = .seconds(3600)
    configuration.bodyDeadline = .seconds(3600)
    configuration.keepAliveDeadline = .seconds(3600)
    return configuration
  }
}
