/// Bytes that no HTTP/2 server may send (RFC 9113 sections 4 to 6).
public struct InvalidFrame: Hashable, Sendable {
  /// Its name, as scripts write it.
  public let name: String
  private let make: Frame

  private enum Frame: Hashable {
    case text, raw(type: UInt8, flags: UInt8, size: Int, stream: Stream)
  }
  private enum Stream: Hashable { case connection, request, idle }

  /// An answer of HTTP/1.1.
  public static let text = InvalidFrame(name: "text", make: .text)
  /// A frame of 64 KiB where 16 KiB were agreed.
  public static let oversized = InvalidFrame(
    name: "oversized", make: .raw(type: 0, flags: 0, size: 65_536, stream: .request))
  /// SETTINGS on a stream.
  public static let settings = InvalidFrame(
    name: "settings", make: .raw(type: 4, flags: 0, size: 0, stream: .request))
  /// A header block that HPACK cannot read.
  public static let headers = InvalidFrame(
    name: "headers", make: .raw(type: 1, flags: 4, size: 8, stream: .request))
  /// DATA on a stream that nobody opened.
  public static let idle = InvalidFrame(
    name: "idle", make: .raw(type: 0, flags: 0, size: 8, stream: .idle))
  /// CONTINUATION after nothing.
  public static let continuation = InvalidFrame(
    name: "continuation", make: .raw(type: 9, flags: 4, size: 8, stream: .request))
  /// PING of seven bytes.
  public static let ping = InvalidFrame(
    name: "ping", make: .raw(type: 6, flags: 0, size: 7, stream: .connection))

  /// All there are, in the order of the numbers by which scripts may call them, from 1.
  public static let all = [text, oversized, settings, headers, idle, continuation, ping]

  /// The bytes, where the last request came on `stream`.
  func bytes(stream: Int32) -> [UInt8] {
    switch make {
    case .text: return Array("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n".utf8)
    case .raw(let type, let flags, let size, let place):
      let id: UInt32 =
        switch place {
        case .connection: 0
        case .request: UInt32(clamping: stream)
        case .idle: 0x7fff_ffff
        }
      var bytes = [size >> 16, size >> 8, size].map { UInt8(truncatingIfNeeded: $0) }
      bytes += [type, flags]
      bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: id >> $0) }
      return bytes + [UInt8](repeating: 0xff, count: size)
    }
  }
}
