import Glibc

/// Bytes that never change: memory of this process, or a mapped file.
///
/// It is `Sendable`, because the bytes are written before `init` returns and only read after that.
/// Nobody may write to a mapped file or truncate it. Replacing it by `rename` is safe, because the
/// mapping keeps the old file.
@safe package final class FixedBytes: @unchecked Sendable {
  private let memory: UnsafeRawBufferPointer
  /// Whether the bytes are a mapped file, whose memory the system can reclaim.
  package let isMapped: Bool

  /// Makes bytes in memory, aligned to 32 bytes, with a closure that writes all of them.
  package init(count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, count), alignment: 32)
    let bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    unsafe fill(bytes)
    unsafe memory = UnsafeRawBufferPointer(bytes)
    isMapped = false
  }

  package convenience init(_ bytes: [UInt8]) {
    unsafe self.init(count: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
  }

  /// Maps a regular file; `nil` if it does not exist, is empty or cannot be read.
  package init?(mapping path: String) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size > 0
    else { return nil }
    let start = unsafe mmap(nil, status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let start = unsafe start, unsafe start != MAP_FAILED else { return nil }
    unsafe memory = UnsafeRawBufferPointer(start: start, count: status.st_size)
    isMapped = true
  }

  deinit {
    guard let start = unsafe UnsafeMutableRawPointer(mutating: memory.baseAddress) else { return }
    if isMapped {
      unsafe munmap(start, memory.count)
    } else {
      unsafe start.deallocate()
    }
  }

  package var count: Int { unsafe memory.count }

  /// Removes the pages of a mapped file from this process; they are loaded again when they are read.
  package func release() {
    guard isMapped, let start = unsafe UnsafeMutableRawPointer(mutating: memory.baseAddress) else {
      return
    }
    _ = unsafe madvise(start, memory.count, MADV_DONTNEED)
  }

  /// Calls a closure with some of the bytes; `range` must be within them.
  package func withBytes<T>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> T) -> T {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "the range is outside")
    return unsafe body(UnsafeRawBufferPointer(rebasing: memory[range]))
  }

  /// The little-endian number at an offset; `nil` if it is not within the bytes.
  package func load<Number: FixedWidthInteger & BitwiseCopyable>(
    _: Number.Type, at offset: Int
  ) -> Number? {
    guard offset >= 0, offset <= count - MemoryLayout<Number>.size else { return nil }
    return unsafe Number(
      littleEndian: memory.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  /// A copy of some of the bytes; `range` must be within them.
  package func copy(_ range: Range<Int>) -> [UInt8] {
    unsafe withBytes(range) { unsafe Array($0) }
  }
}
