import Foundation
import MediaLoading

/// The head and body that a response of a ``ScriptedNetwork`` sends to one request.
struct ScriptedReply: Sendable {
  let head: MediaResponseHead
  let body: ScriptedNetwork.Body?
  /// The offset in the body at which the reply starts.
  let start: Int
  /// The length that the head announces; `nil` if it announces no length.
  let announcedLength: Int64?
  let stallsAfter: Int?
  let breaksAfter: Int?

  init(_ response: ScriptedNetwork.Response, to request: MediaRequest) {
    let length = response.body.map(\.length) ?? 0
    let start = length.flatMap { Self.start(in: $0, of: response, for: request) }
    var status = response.status
    var added: [String: String] = [:]
    added["Content-Type"] = response.mimeType
    var body = response.body
    var rest = length
    if let start, let length {
      if start < length {
        status = 206
        rest = length - start
        added["Content-Range"] = "bytes \(start)-\(length - 1)/\(length)"
      } else {
        status = 416  // RFC 9110 section 15.5.17
        body = nil
        rest = 0
        added["Content-Range"] = "bytes */\(length)"
      }
    }
    announcedLength = response.announcesLength ? response.announcedLength ?? rest : nil
    added["Content-Length"] = announcedLength.map { "\($0)" }
    for name in response.headers.keys {
      added = added.filter { $0.key.lowercased() != name.lowercased() }
    }
    head = MediaResponseHead(
      status: status, headers: added.merging(response.headers) { added, _ in added })
    self.body = body
    self.start = Int(start ?? 0)
    stallsAfter = response.stallsAfter
    breaksAfter = response.breaksAfter
  }

  /// The number of bytes that may be sent after those that were sent.
  func remainingBytes(after sent: Int) -> Int {
    let limits = [breaksAfter, stallsAfter, announcedLength.map { Int(clamping: $0) }]
    return limits.compactMap { $0.map { max($0 - sent, 0) } }.min() ?? .max
  }

  /// The start of the requested range (RFC 9110 section 14.2); `nil` if the whole body must be sent.
  private static func start(
    in length: Int64, of response: ScriptedNetwork.Response, for request: MediaRequest
  ) -> Int64? {
    let requestFields = MediaResponseHead(status: 0, headers: request.headers)
    let responseFields = MediaResponseHead(status: 0, headers: response.headers)
    // RFC 9110 section 13.1.5: a weak tag never matches.
    guard response.status == 200, let tag = responseFields["etag"], !tag.hasPrefix("W/"),
      requestFields["if-range"] == tag, let range = requestFields["range"],
      range.hasPrefix("bytes="),
      range.hasSuffix("-"), let start = Int64(range.dropFirst(6).dropLast()), start >= 0
    else { return nil }
    return start
  }
}

extension ScriptedNetwork.Body {
  /// The length in bytes; `nil` if the body is endless, or its file cannot be read.
  fileprivate var length: Int64? {
    switch self {
    case .bytes(let bytes): Int64(bytes.count)
    case .file(let url):
      (try? FileManager.default.attributesOfItem(atPath: url.path(percentEncoded: false))[.size]
        as? NSNumber)?.int64Value
    case .endless: nil
    }
  }

  /// Reads a piece, which is empty at the end; `nil` if the file cannot be read.
  func piece(at offset: Int, upTo count: Int) -> [UInt8]? {
    switch self {
    case .bytes(let bytes): return Array(bytes.dropFirst(offset).prefix(count))
    case .endless(let bytes):
      guard !bytes.isEmpty else { return [] }
      return (0..<count).map { bytes[(offset + $0) % bytes.count] }
    case .file(let url):
      guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
      defer { try? handle.close() }
      guard (try? handle.seek(toOffset: UInt64(offset))) != nil else { return nil }
      return Array((try? handle.read(upToCount: count)) ?? Data())
    }
  }
}
