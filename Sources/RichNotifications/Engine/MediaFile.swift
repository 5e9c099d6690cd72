import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file being written piece by piece, without ever holding it in memory.
///
/// The name ends in `.part` until the bytes have told the type.
struct MediaFile: Sendable {
  private(set) var url: URL
  private var descriptor: Int32

  init(in directory: URL) throws(MediaFailure) {
    url = directory.appending(path: UUID().uuidString + ".part", directoryHint: .notDirectory)
    descriptor = open(
      url.path(percentEncoded: false), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure("could not be created") }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(MediaFailure) {
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

  /// Ends the file and gives it a name with its true extension.
  mutating func finish(pathExtension: String) throws(MediaFailure) -> URL {
    closeDescriptor()
    let named = url.deletingPathExtension().appendingPathExtension(pathExtension)
    guard rename(url.path(percentEncoded: false), named.path(percentEncoded: false)) == 0 else {
      let failure = Self.failure("could not be renamed")
      discard()
      throw failure
    }
    url = named
    return named
  }

  /// Closes and removes it.
  mutating func discard() {
    closeDescriptor()
    unlink(url.path(percentEncoded: false))
  }

  private mutating func closeDescriptor() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }

  private static func failure(_ what: String) -> MediaFailure {
    MediaFailure(.storage, "the media file \(what): \(String(cString: strerror(errno)))")
  }
}
