import Foundation
import Glibc
import MartletKit
import TestSupport

/// A transport whose connections come from an address of its own, as those of a phone do.
///
/// `URLSession` cannot choose the address that it connects from.
struct AddressTransport: PushTransport {
  /// The last three bytes of the address, which begins with 127.
  let number: Int
  let port: @Sendable () -> UInt16

  /// How long the server may take to answer, on a machine that is busy with other tests.
  private static let patience = 120

  func send(_ request: PushRequest) async throws(PushTransportError) -> PushResponse {
    let bytes = Self.bytes(of: request)
    let result = await withCheckedContinuation { continuation in
      // A thread of its own, since Swift's pool has few, which the server needs.
      Thread.detachNewThread {
        continuation.resume(
          returning: Result { () throws(PushTransportError) in try exchange(bytes) })
      }
    }
    return try Self.response(in: result.get())
  }

  private func exchange(_ bytes: [UInt8]) throws(PushTransportError) -> [UInt8] {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw failure("no socket", isUnsent: true) }
    defer { close(socket) }
    var time = timeval(tv_sec: Self.patience, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    guard call(bind, socket, host: 0x7f01_0000 + UInt32(number), port: 0) == 0,
      call(connect, socket, host: 0x7f00_0001, port: port()) == 0
    else { throw failure("cannot connect", isUnsent: true) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw failure("cannot send", isUnsent: false) }
      rest.removeFirst(count)
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count >= 0 else { throw failure("no answer", isUnsent: false) }
      if count == 0 { return answer }
      answer += buffer[..<count]
    }
  }

  private func call(
    _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ socket: Int32,
    host: UInt32, port: UInt16
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = host.bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private func failure(_ what: String, isUnsent: Bool) -> PushTransportError {
    PushTransportError("\(what): \(String(cString: strerror(errno)))", isUnsent: isUnsent)
  }

  private static func bytes(of request: PushRequest) -> [UInt8] {
    let body = request.body ?? Data()
    var lines = [
      "\(request.method) \(request.url.path(percentEncoded: true)) HTTP/1.1", "Host: localhost",
      "Connection: close", "Content-Length: \(body.count)",
    ]
    if let query = request.url.query(percentEncoded: true) {
      lines[0] = "\(request.method) \(request.url.path(percentEncoded: true))?\(query) HTTP/1.1"
    }
    lines += request.headers.map { "\($0.key): \($0.value)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }

  /// The answer in what arrived; one that was cut off is none.
  private static func response(in bytes: [UInt8]) throws(PushTransportError) -> PushResponse {
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = parts[0].split(separator: "\r\n")
    let fields = Dictionary(
      lines.dropFirst().map { line in
        let sides = line.split(separator: ":", maxSplits: 1)
        return (
          sides[0].lowercased(), sides.dropFirst().joined().trimmingCharacters(in: .whitespaces)
        )
      }, uniquingKeysWith: { $1 })
    let body = Data((parts.count > 1 ? String(parts[1]) : "").utf8)
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }),
      parts.count > 1, fields["content-length"].map({ Int($0) == body.count }) ?? true
    else { throw PushTransportError("the answer was cut off") }
    return PushResponse(status: status, retryAfter: fields["retry-after"], body: body)
  }
}
