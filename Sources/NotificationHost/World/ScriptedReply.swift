import Foundation
import MediaLoading

/// What an answer of a ``ScriptedNetwork`` sends to one request.
struct ScriptedReply: Sendable {
  let head: MediaResponseHead
  let body: ScriptedNetwork.Body?
  /// Where in the body it begins.
  let start: Int
  /// How many bytes the head promises; `nil` where it does not say.
  let promise: Int64?
  let stallsAfter: Int?
  let breaksAfter: Int?

  init(_ answer: ScriptedNetwork.Answer, to request: MediaRequest) {
    let length = answer.body.map(\.length) ?? 0
    let start = length.flatMap { Self.start(in: $0, of: answer, for: request) }
    var status = answer.status
    var added: [String: String] = [:]
    added["Content-Type"] = answer.mimeType
    var body = answer.body
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
    promise = answer.announcesLength ? answer.announcedLength ?? rest : nil
    added["Content-Length"] = promise.map { "\($0)" }
    for name in answer.headers.keys {
      added = added.filter { $0.key.lowercased() != name.lowercased() }
    }
    head = MediaResponseHead(
      status: status, headers: added.merging(answer.headers) { added, _ in added })
    self.body = body
    self.start = Int(start ?? 0)
    stallsAfter = answer.stallsAfter
    breaksAfter = answer.breaksAfter
  }

  /// How many bytes may follow those that were sent.
  func room(after sent: Int) -> Int {
    let limits = [breaksAfter, stallsAfter, promise.map { Int(clamping: $0) }]
    return limits.compactMap { $0.map { max($0 - sent, 0) } }.min() ?? .max
  }

  /// RFC 9110 section 14.2: where the range begins; `nil` where the whole is to be sent.
  private static func start(
    in length: Int64, of answer: ScriptedNetwork.Answer, for request: MediaRequest
  ) -> Int64? {
    let asked = MediaResponseHead(status: 0, headers: request.headers)
    let given = MediaResponseHead(status: 0, headers: answer.headers)
    // A weak tag never matches: RFC 9110 section 13.1.5.
    guard answer.status == 200, let tag = given["etag"], !tag.hasPrefix("W/"),
      asked["if-range"] == tag, let range = asked["range"], range.hasPrefix("bytes="),
      range.hasSuffix("-"), let start = Int64(range.dropFirst(6).dropLast()), start >= 0
    else { return nil }
    return start
  }
}

extension ScriptedNetwork.Body {
  /// `nil` where it has no end, or the file cannot be read.
  fileprivate var length: Int64? {
    switch self {
    case .bytes(let bytes): Int64(bytes.count)
    case .file(let url):
      (try? FileManager.default.attributesOfItem(atPath: url.path(percentEncoded: false))[.size]
        as? NSNumber)?.int64Value
    case .endless: nil
    }
  }

  /// `nil` where the file cannot be read; empty at the end.
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
