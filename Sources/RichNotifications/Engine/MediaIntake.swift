import Foundation
import MediaLoading
import PushPayload

/// Decides about one answer as it arrives: status, type by its first bytes, size by count.
///
/// A value without IO: the first bytes are held back until they tell the type, then everything is
/// passed on to be written.
struct MediaIntake: Sendable {
  private(set) var status: Int?
  /// How many bytes of the body have come.
  private(set) var bytes: Int64 = 0
  /// The type, once the first bytes have told it.
  private(set) var type: MediaType?
  private var head: [UInt8] = []
  private let allowsPlainHTTP: Bool

  init(allowsPlainHTTP: Bool) { self.allowsPlainHTTP = allowsPlainHTTP }

  /// The head of the answer: only 2xx counts, from an allowed scheme, of a size that can fit.
  mutating func receive(_ response: MediaResponseHead) throws(MediaFailure) {
    status = response.status
    guard (200...299).contains(response.status) else {
      throw failure(.httpStatus, "the server answered \(response.status)")
    }
    let largest = MediaType.Family.movie.maximumBytes
    if let length = response.contentLength, length > Int64(largest) {
      throw failure(.tooLarge, "the server announces \(length) bytes; the largest is \(largest)")
    }
  }

  /// A piece of the body; `write` is called with what is to be written now, no byte twice.
  mutating func receive(
    _ piece: UnsafeRawBufferPointer, write: (UnsafeRawBufferPointer) throws(MediaFailure) -> Void
  ) throws(MediaFailure) {
    bytes += Int64(piece.count)
    if type != nil {
      try checkSize()
      return try write(piece)
    }
    head.append(contentsOf: piece)
    if head.count >= MediaType.signatureLength { try recognise(write) }
  }

  /// The end of the body; a file shorter than a signature is recognised here.
  mutating func end(
    write: (UnsafeRawBufferPointer) throws(MediaFailure) -> Void
  ) throws(MediaFailure) -> MediaType {
    if type == nil { try recognise(write) }
    guard let type else { throw failure(.unsupportedType, "the file is empty") }
    return type
  }

  private mutating func recognise(
    _ write: (UnsafeRawBufferPointer) throws(MediaFailure) -> Void
  ) throws(MediaFailure) {
    guard !head.isEmpty else { throw failure(.unsupportedType, "the file is empty") }
    guard let recognised = MediaType(signature: head) else {
      throw failure(.unsupportedType, "the bytes are of no known media type")
    }
    guard recognised.isSupported else {
      throw failure(
        .unsupportedType, "the bytes are \(recognised.identifier), which iOS does not show")
    }
    type = recognised
    try checkSize()
    let held = head
    head = []
    var outcome: Result<Void, MediaFailure> = .success(())
    held.withUnsafeBytes { buffer in
      do throws(MediaFailure) { try write(buffer) } catch { outcome = .failure(error) }
    }
    try outcome.get()
  }

  private func checkSize() throws(MediaFailure) {
    guard let family = type?.family, bytes > Int64(family.maximumBytes) else { return }
    throw failure(
      .tooLarge, "more than the \(family.maximumBytes) bytes that iOS takes of \(family)")
  }

  private func failure(_ reason: MediaFailure.Reason, _ message: String) -> MediaFailure {
    MediaFailure(reason, message, status: status, bytes: bytes)
  }
}
