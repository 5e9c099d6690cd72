import Foundation
import PushCrypto
import PushPayload

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A media file that is written to disk piece by piece.
///
/// Its name ends in `.part` until ``finish(intake:decision:reference:in:)``. A file that is not finished is
/// deleted with its last reference.
final class MediaFile: Sendable {
  private let url: URL
  private let descriptor: Locked<Int32>

  init(in directory: URL) throws(MediaFailure) {
    url = MediaFolder.makeURL(in: directory, extension: MediaFolder.partExtension)
    do throws(POSIXError) {
      try Self.create(url)
    } catch {
      throw Self.failure("could not be created", error.code.rawValue)
    }
    let opened = OwnFile.reopen(url)
    guard opened >= 0 else { throw Self.failure("could not be opened") }
    descriptor = Locked(opened)
  }

  /// Creates the file, and its folder if it is missing, because the system may remove temporary folders.
  private static func create(_ url: URL) throws(POSIXError) {
    do throws(POSIXError) {
      try OwnFile.create(url)
    } catch {
      guard error.code == .ENOENT else { throw error }
      try OwnFile.createFolder(url.deletingLastPathComponent())
      try OwnFile.create(url)
    }
  }

  deinit { discard() }

  /// Deletes the file now, even if there are other references.
  ///
  /// Has no effect on a finished file.
  func discard() {
    if close() { unlink(url.path(percentEncoded: false)) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(MediaFailure) {
    let descriptor = descriptor.withLock { $0 }
    var rest = bytes
    while !rest.isEmpty {
      #if canImport(Glibc)
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      #else
        let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
      #endif
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure("could not be written") }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Truncates the file.
  func startOver() throws(MediaFailure) {
    let descriptor = descriptor.withLock { $0 }
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw Self.failure("could not be truncated")
    }
  }

  /// Checks the file's SHA-256, renames the file to the extension of its type, and scales down an image that
  /// is over the system's limit.
  func finish(
    intake: MediaIntake, decision: MediaTypeDecision, reference: MediaReference,
    in environment: RichEnvironment
  ) throws(MediaFailure) -> AttachedMedia {
    if let expected = reference.sha256 { try check(expected, environment.crypto) }
    let named = url.deletingPathExtension().appendingPathExtension(
      decision.type.preferredExtension)
    guard rename(url.path(percentEncoded: false), named.path(percentEncoded: false)) == 0 else {
      throw Self.failure("could not be renamed")
    }
    close()
    return try environment.attachable(
      AttachedMedia(
        url: reference.url, file: named, type: decision.type, typeSource: decision.source,
        bytes: intake.bytes, status: intake.status))
  }

  private func check(
    _ expected: String, _ crypto: (any CryptoProvider)?
  ) throws(MediaFailure) {
    guard let crypto else {
      throw MediaFailure(
        .digest, "RichEnvironment.crypto is not set, so the file's SHA-256 cannot be checked")
    }
    let descriptor = descriptor.withLock { $0 }
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.failure("could not be read") }
    var hash = crypto.makeSHA256()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = buffer.withUnsafeMutableBytes { OwnFile.read(descriptor, into: $0) }
      guard count >= 0 else { throw Self.failure("could not be read") }
      if count == 0 { break }
      buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
    let digits = Array("0123456789abcdef")
    let found = String(hash.finalize().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    guard found == expected else {
      throw MediaFailure(.digest, "the file's SHA-256 differs from the one in the payload")
    }
  }

  /// Closes the descriptor.
  ///
  /// - Returns: Whether it was open.
  @discardableResult private func close() -> Bool {
    let open = descriptor.withLock { descriptor in
      defer { descriptor = -1 }
      return descriptor
    }
    guard open >= 0 else { return false }
    #if canImport(Glibc)
      _ = Glibc.close(open)
    #else
      _ = Darwin.close(open)
    #endif
    return true
  }

  private static func failure(_ what: String, _ code: Int32 = errno) -> MediaFailure {
    MediaFailure(.storage, "the media file \(what): \(String(cString: strerror(code)))")
  }
}
