import Foundation
import MediaLoading
import PushPayload

/// Decides about one file as it arrives: status, type by its first bytes, size by count.
///
/// A value without IO: the first bytes are held back until they tell the type, then everything is
/// passed on to be written.
struct MediaIntake: Sendable {
  /// What the head of an answer comes to.
  enum Verdict: Hashable, Sendable {
    /// The body follows, after what has already come.
    case body
    /// The body follows from its beginning, although the rest was asked for.
    case bodyFromStart
    /// Another URL is to be asked, as the server wrote it.
    case redirect(String)
  }

  private(set) var status: Int?
  /// How many bytes of the file have come.
  private(set) var bytes: Int64 = 0
  /// What the file is, once its first bytes have come, and what told it.
  private(set) var decision: MediaTypeDecision?
  /// The type, once the first bytes have come.
  var type: MediaType? { decision?.type }
  /// The strong entity tag of the answer, by which the rest of it may be asked for.
  private(set) var validator: String?
  private var head: [UInt8] = []
  private var mimeType: String?
  /// How large the whole file is said to be.
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

  /// Whether the rest of the file can be asked for (RFC 9110 section 13.1.5: a strong tag alone).
  var isResumable: Bool { validator != nil && type != nil && bytes > 0 }

  /// The head of the answer: a redirect, or a body of a size that can fit.
  mutating func receive(_ response: MediaResponseHead) throws(MediaFailure) -> Verdict {
    status = response.status
    var verdict = Verdict.body
    switch response.status {
    case 301, 302, 303, 307, 308:
      guard let location = response["location"], !location.isEmpty else {
        throw failure(.httpStatus, "the server redirected to nowhere")
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
      throw failure(.tooLarge, "the server announces \(announced) bytes; the largest is \(largest)")
    }
    return verdict
  }

  /// The rest of what is there already, of the same version (RFC 9110 section 15.3.7.3).
  ///
  /// What is anything else leaves the whole file to be asked for again.
  private mutating func receive(partOf response: MediaResponseHead) throws(MediaFailure) {
    let range = Self.range(response["content-range"])
    guard isResumable, let range, range.first == bytes, response["etag"] ?? validator == validator
    else {
      validator = nil
      var failure = failure(.httpStatus, "the server sent a part of the file that nobody asked for")
      failure.isTransient = bytes > 0
      throw failure
    }
    let length = response.contentLength.map { $0.addingReportingOverflow(bytes) }
    announced = range.complete ?? length.flatMap { $0.overflow ? nil : $0.partialValue }
    if let announced { try checkSize(announced) }
  }

  /// A piece of the body; `write` is called with what is to be written now, no byte twice.
  mutating func receive(
    _ piece: UnsafeRawBufferPointer, write: (UnsafeRawBufferPointer) throws(MediaFailure) -> Void
  ) throws(MediaFailure) {
    bytes += Int64(piece.count)
    if type != nil {
      try checkSize(bytes)
      return try write(piece)
    }
    head.append(contentsOf: piece)
    if head.count >= MediaType.signatureLength { try recognise(write) }
  }

  /// The end of the body; a file shorter than a signature is recognised here.
  mutating func end(
    write: (UnsafeRawBufferPointer) throws(MediaFailure) -> Void
  ) throws(MediaFailure) -> MediaTypeDecision {
    if let announced, bytes < announced {
      var failure = self.failure(.network, "the body ended after \(bytes) of \(announced) bytes")
      failure.isTransient = true
      throw failure
    }
    if type == nil { try recognise(write) }
    guard let decision else { throw failure(.unsupportedType, "the file is empty") }
    return decision
  }

  private mutating func recognise(
    _ write: (UnsafeRawBufferPointer) throws(MediaFailure) -> Void
  ) throws(MediaFailure) {
    guard !head.isEmpty else { throw failure(.unsupportedType, "the file is empty") }
    let decided = MediaTypeDecision(
      head: head, mimeType: mimeType, declared: reference.declaredType, url: url.absoluteString)
    guard let decided else {
      throw failure(.unsupportedType, "the bytes are of no known media type")
    }
    guard decided.type.isSupported else {
      throw failure(
        .unsupportedType, "the bytes are \(decided.type.identifier), which iOS does not show")
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
    throw failure(.tooLarge, "more than \(limit) bytes, the most that is taken of \(family)")
  }

  private mutating func startOver() {
    bytes = 0
    decision = nil
    head = []
  }

  /// A status that is no success; some of them pass (RFC 9110 section 15, RFC 6585 section 4).
  private func refusal(_ response: MediaResponseHead) -> MediaFailure {
    var failure = self.failure(.httpStatus, "the server answered \(response.status)")
    // 416: what was already there is no longer the beginning of the file; from the start, then.
    failure.isTransient =
      [408, 425, 429, 500, 502, 503, 504].contains(response.status)
      || (response.status == 416 && bytes > 0)
    // As a date it would need a wall clock that agrees with the server's; then our own pause counts.
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
