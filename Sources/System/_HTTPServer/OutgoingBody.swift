import Glibc

/// The part of an answer's body that is not yet in the output queue.
enum OutgoingBody {
  case file(OpenFile, left: Range<Int>)
  /// Chunks from a task; `isChunked` is `false` for HTTP/1.0, where closing the connection ends the body.
  case stream(isChunked: Bool)

  var isStream: Bool {
    if case .stream = self { true } else { false }
  }
}

/// A regular file that is open for reading.
final class OpenFile: Sendable {
  /// The most bytes that are read at once.
  static let pieceSize = 128 << 10

  private let descriptor: Int32
  let size: Int

  init?(_ path: String) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0 else { return nil }
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    size = status.st_size
  }

  deinit { close(descriptor) }

  /// Reads the first bytes of a range; `nil` if the file has become shorter.
  func read(_ range: Range<Int>) -> [UInt8]? {
    let count = min(range.count, Self.pieceSize)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      unsafe filled = max(0, pread(descriptor, buffer.baseAddress, count, range.lowerBound))
    }
    return bytes.isEmpty ? nil : bytes
  }
}
