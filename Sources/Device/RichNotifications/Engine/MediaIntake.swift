import Foundation
import MediaLoading
import PushPayload

/// Checks one media file while it is received: the response's status, the type by the first bytes, the size
/// by counting.
///
/// A value without IO. The first bytes are buffered until the type is known; then they, and all that follow,
/// are passed on to be written.
struct MediaIntake: Sendable {
  /// The action that follows the head of a response.
  enum Verdict: Hashable, Sendable {
    /// The body follows, and continues the bytes that were received before.
    case body
    /// The whole body follows, although only the rest was requested.
    case bodyFromStart
    /// Another URL must be requested; it is given as the server wrote it.
    case redirect(String)
  }

  private(set) var status: Int?
  /// The number of bytes of the file received so far.
  private(set) var bytes: Int64 = 0
  /// The file's type and the source that determined it, once the first bytes were received.
  private(set) var decision: MediaTypeDecision?
  /// The file's type, once the first bytes were received.
  var type: MediaType? { decision?.type }
  /// The response's strong entity tag, for a range request for the rest of the file.
  private(set) var validator: String?
  private var head: [UInt8] = []
  private var mimeType: String?
  /// The size of the whole file as the server announced it.
  private var announced: Int64?
  private let reference: MediaReference
  private let url: URL
  private let maximumImageBytes: Int64

  init(
    _ reference: MediaReference, url: URL,
    maximumImageBytes: Int64 = Int64(MediaType.Family.image.maximumBytes)
  ) {
    self.reference = reference
    self.url = url
    self.maximumImageBytes = maximumImageBytes
  }

  /// Whether the rest of the file can be requested.
  ///
  /// This needs a strong tag (RFC 9110 section 13.1.5).
  var isResumable: Bool { validator != nil && type != nil && bytes > 0 }

  /// Checks the head of a response.
  mutating func receive(_ response: MediaResponseHead) throws(MediaFailure) -> Verdict {
    status = response.status
    var verdict = Verdict.body
    switch response.status {
    case 301, 302, 303, 307, 308:
      guard let location = response["location"], !location.isEmpty else {
        throw failure(.httpStatus, "the server sent a redirect without a Location header")
      }
      return .redirect(location)
    case 206:
      try receive(partOf: response)
      return verdict
    case 200...299:
      if bytes > 0 {
        startOver()
        verdict = .bodyFromStart
      }
    default:
      throw refusal(response)
    }
    mimeType = response.mimeType
    announced = response.contentLength
    validator = Self.strongTag(response)
    let largest = Int64(MediaType.Family.movie.maximumBytes)
    if let announced, announced > largest {
      throw failure(
        .tooLarge, "the server announced \(announced) bytes; the largest limit is \(largest)")
    }
    return verdict
  }

  /// Checks the head of a 206 response, which must continue the same version of the file (RFC 9110 section
  /// 15.3.7.3).
  ///
  /// If it does not, a retry requests the whole file.
  private mutating func receive(partOf response: MediaResponseHead) throws(MediaFailure) {
    let range = Self.range(response["content-range"])
    guard isResumable, let range, range.first == bytes, response["etag"] ?? validator == validator
    else {
      validator = nil
      var failure = failure(.httpStatus, "the server sent a range that was not requested")
      failure.isTransient = bytes > 0
      throw failure
    }
    let length = response.contentLength.map { $0.addingReportingOverflow(bytes) }
    announced = range.complete ?? length.flatMap { $0.overflow ? nil : $0.partialValue }
    if let announced { try checkSize(announced) }
  }

  /// Checks a piece of the body, and calls `write` with the bytes that must be written now.
  mutating func receive(
    _ piece: UnsafeRawBufferPointer, write: (UnsafeRawBufferPointer) throws(MediaFailure) -> Void
  ) throws(MediaFailure) {
    bytes += Int64(piece.count)
    if type != nil {
      try checkSize(bytes)
      return try write(piece)
    }
    head.append(contentsOf: piece)
    if head.count >= MediaType.signatureLength { try determineType(write) }
  }

  /// Checks the end of the body.
  ///
  /// The type of a file that is shorter than a signature is determined here.
  mutating func checkEnd(
    write: (UnsafeRawBufferPointer) throws(MediaFailure) -> Void
  ) throws(MediaFailure) -> MediaTypeDecision {
    if let announced, bytes < announced {
      var failure = self.failure(.network, "the body ended after \(bytes) of \(announced) bytes")
      failure.isTransient = true
      throw failure
    }
    if type == nil { try determineType(write) }
    guard let decision else { throw failure(.unsupportedType, "the file is empty") }
    return decision
  }

  private mutating func determineType(
    _ write: (UnsafeRawBufferPointer) throws(MediaFailure) -> Void
  ) throws(MediaFailure) {
    guard !head.isEmpty else { throw failure(.unsupportedType, "the file is empty") }
    let decided = MediaTypeDecision(
      head: head, mimeType: mimeType, declared: reference.declaredType, url: url.absoluteString)
    guard let decided else {
      throw failure(.unsupportedType, "the file's bytes are not of a known media type")
    }
    guard decided.type.isSupported else {
      throw failure(
        .unsupportedType,
        "the file is \(decided.type.identifier), which iOS does not support as an attachment")
    }
    decision = decided
    try checkSize(max(bytes, announced ?? 0))
    let held = head
    head = []
    var outcome: Result<Void, MediaFailure> = .success(())
    held.withUnsafeBytes { buffer in
      do throws(MediaFailure) { try write(buffer) } catch { outcome = .failure(error) }
    }
    try outcome.get()
  }

  private func checkSize(_ count: Int64) throws(MediaFailure) {
    guard let family = type?.family else { return }
    let limit = family == .image ? maximumImageBytes : Int64(family.maximumBytes)
    guard count > limit else { return }
    throw failure(
      .tooLarge, "the file is larger than \(limit) bytes, the limit for \(family) files")
  }

  private mutating func startOver() {
    bytes = 0
    decision = nil
    head = []
  }

  /// The failure for a status other than 2xx; some are transient (RFC 9110 section 15, RFC 6585 section 4).
  private func refusal(_ response: MediaResponseHead) -> MediaFailure {
    var failure = self.failure(.httpStatus, "the server responded with status \(response.status)")
    // 416: the file has changed and is shorter than the part received, so a retry requests all of it.
    failure.isTransient =
      [408, 425, 429, 500, 502, 503, 504].contains(response.status)
      || (response.status == 416 && bytes > 0)
    // A date would need a clock that agrees with the server's; the engine's own pause is used instead.
    failure.retryAfter = response["retry-after"].flatMap { UInt16($0) }.map { .seconds(Int64($0)) }
    return failure
  }

  private func failure(_ reason: MediaFailure.Reason, _ message: String) -> MediaFailure {
    MediaFailure(reason, message, status: status, bytes: bytes)
  }

  /// The first byte of `bytes 100-199/200` and the length of the whole (RFC 9110 section 14.4).
  private static func range(_ text: String?) -> (first: Int64, complete: Int64?)? {
    guard let text, text.lowercased().hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst("bytes ".count).split(separator: "/", maxSplits: 1)
    guard let first = parts.first.flatMap({ Int64($0.prefix { $0 != "-" }) }) else { return nil }
    return (first, parts.count == 2 ? Int64(parts[1]) : nil)
  }

  private static func strongTag(_ response: MediaResponseHead) -> String? {
    guard response.isIdentity, response["accept-ranges"]?.lowercased() != "none",
      let tag = response["etag"], tag.hasPrefix("\""), tag.hasSuffix("\""), tag.count >= 2
    else { return nil }
    return tag
  }
}
