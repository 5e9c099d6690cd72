/// Bytes that a server must not send in HTTP/2 (RFC 9113 sections 4 to 6).
public struct InvalidFrame: Hashable, Sendable {
  /// The name in scripts.
  public let name: String
  private let frame: Frame

  private enum Frame: Hashable {
    case text, raw(type: UInt8, flags: UInt8, size: Int, stream: Stream)
  }
  private enum Stream: Hashable { case connection, request, idle }

  /// An answer in HTTP/1.1.
  public static let text = InvalidFrame(name: "text", frame: .text)
  /// A DATA frame of 64 KiB, above the limit of 16 KiB.
  public static let oversized = InvalidFrame(
    name: "oversized", frame: .raw(type: 0, flags: 0, size: 65_536, stream: .request))
  /// A SETTINGS frame on a stream.
  public static let settings = InvalidFrame(
    name: "settings", frame: .raw(type: 4, flags: 0, size: 0, stream: .request))
  /// A HEADERS frame with a block that HPACK cannot decode.
  public static let headers = InvalidFrame(
    name: "headers", frame: .raw(type: 1, flags: 4, size: 8, stream: .request))
  /// A DATA frame on a stream that was never opened.
  public static let idle = InvalidFrame(
    name: "idle", frame: .raw(type: 0, flags: 0, size: 8, stream: .idle))
  /// A CONTINUATION frame without a HEADERS frame before it.
  public static let continuation = InvalidFrame(
    name: "continuation", frame: .raw(type: 9, flags: 4, size: 8, stream: .request))
  /// A PING frame of seven bytes.
  public static let ping = InvalidFrame(
    name: "ping", frame: .raw(type: 6, flags: 0, size: 7, stream: .connection))

  /// All invalid frames, in the order of their numbers in scripts, from 1.
  public static let all = [text, oversized, settings, headers, idle, continuation, ping]

  /// The bytes to send; `stream` is that of the last request.
  func bytes(stream: Int32) -> [UInt8] {
    switch frame {
    case .text: return Array("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n".utf8)
    case .raw(let type, let flags, let size, let target):
      let id: UInt32 =
        switch target {
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
