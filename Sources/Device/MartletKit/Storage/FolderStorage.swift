import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files of a device on disk.
///
/// They can be read after the phone's first unlock, even while it is locked. They are not part of a backup, because a phone
/// that is restored from one is another device.
struct FolderStorage: DeviceStorage {
  /// The largest file that is read; the library never writes one as large.
  static let maximumBytes = 4 << 20
  /// The number of tries for the lock, which others hold for microseconds.
  private static let maximumTries = 10_000
  private static let partSuffix = ".part"

  private let folder: URL

  /// - Parameter folder: The folder, which is made with the first file.
  init(_ folder: URL) { self.folder = folder }

  func read(_ path: String) throws -> Data? {
    // Not `fileExists`, which is also false for a file that may not be looked at.
    let descriptor = Self.open(url(path), O_RDONLY)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw Self.error()
    }
    defer { close(descriptor) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    return try handle.read(upToCount: Self.maximumBytes) ?? Data()
  }

  func write(_ data: Data, to path: String) throws {
    let file = url(path)
    try makeFolder(file.deletingLastPathComponent())
    let name = ".\(Self.now).\(UUID().uuidString)\(Self.partSuffix)"
    let part = file.deletingLastPathComponent()
      .appending(path: name, directoryHint: .notDirectory)
    do {
      // The class has to be set as the file is created: a locked phone creates none of the class "Complete".
      var options: Data.WritingOptions = .withoutOverwriting
      #if canImport(Darwin)
        options.insert(.completeFileProtectionUntilFirstUserAuthentication)
      #endif
      try data.write(to: part, options: options)
      chmod(Self.path(part), 0o600)
      guard rename(Self.path(part), Self.path(file)) == 0 else { throw Self.error() }
    } catch {
      unlink(Self.path(part))
      throw error
    }
  }

  func overwrite(_ data: Data, at path: String) throws {
    let file = url(path)
    try makeFolder(file.deletingLastPathComponent())
    try Self.locked(file) { descriptor in
      let count = data.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
      guard count == data.count, ftruncate(descriptor, off_t(count)) == 0 else {
        throw Self.error()
      }
    }
  }

  func remove(_ path: String) throws {
    guard unlink(Self.path(url(path))) == 0 || errno == ENOENT else { throw Self.error() }
  }

  func names(in folder: String) throws -> [String] {
    let url = url(folder)
    // A folder that cannot be opened is not an empty one.
    let descriptor = Self.open(url, O_RDONLY)
    guard descriptor >= 0 else {
      if errno == ENOENT { return [] }
      throw Self.error()
    }
    close(descriptor)
    return try FileManager.default.contentsOfDirectory(atPath: Self.path(url))
  }

  func removeParts(in folder: String, olderThan seconds: Int?) throws {
    let now = Self.now
    for name in try names(in: folder) where name.hasSuffix(Self.partSuffix) {
      // One without a time is of an earlier version, and one from the future was written before the clock was set back.
      let written = Int(name.dropFirst().prefix { $0 != "." })
      if let seconds, let written, (now - seconds...now + seconds).contains(written) { continue }
      unlink(Self.path(url("\(folder)/\(name)")))
    }
  }

  func exclusively<Result>(_ body: () throws -> Result) throws -> Result {
    try makeFolder(folder)
    return try Self.locked(url("lock")) { _ in try body() }
  }

  /// Runs a body with a file that is locked, and that is made if it does not exist.
  ///
  /// It never blocks on the lock, because the system kills an app that is suspended while it waits for a lock or holds one.
  private static func locked<Result>(
    _ file: URL, _ body: (_ descriptor: Int32) throws -> Result
  ) throws -> Result {
    var descriptor = Self.open(file, O_RDWR)
    if descriptor < 0, errno == ENOENT {
      var options: Data.WritingOptions = .withoutOverwriting
      #if canImport(Darwin)
        options.insert(.completeFileProtectionUntilFirstUserAuthentication)
      #endif
      // This may fail because another process has just created the file, which is as good.
      try? Data().write(to: file, options: options)
      chmod(path(file), 0o600)
      descriptor = Self.open(file, O_RDWR)
    }
    guard descriptor >= 0 else { throw Self.error() }
    defer { close(descriptor) }
    var tries = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      tries += 1
      guard errno == EWOULDBLOCK || errno == EINTR, tries < Self.maximumTries else {
        throw Self.error()
      }
      sched_yield()
    }
    // A process forked in the meantime may have the descriptor too, and with it the lock.
    defer { flock(descriptor, LOCK_UN) }
    return try body(descriptor)
  }
}

extension FolderStorage {
  /// Opens a file that exists; -1 if it cannot be opened.
  private static func open(_ file: URL, _ mode: Int32) -> Int32 {
    // `O_NONBLOCK`, because opening a pipe may wait for its other end.
    let flags = mode | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
    #if canImport(Glibc)
      return Glibc.open(path(file), flags)
    #else
      return Darwin.open(path(file), flags)
    #endif
  }

  /// The time in seconds since 1970, which names of parts have: a file's own date is one of the system's that need a reason.
  private static var now: Int { Int(Date().timeIntervalSince1970) }

  private func makeFolder(_ folder: URL) throws {
    guard !FileManager.default.fileExists(atPath: Self.path(folder)) else { return }
    #if canImport(Darwin)
      let protection: [FileAttributeKey: Any] = [
        .protectionKey: FileProtectionType.completeUntilFirstUserAuthentication
      ]
    #else
      let protection: [FileAttributeKey: Any] = [:]
    #endif
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: protection)
    #if canImport(Darwin)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      var excluded = folder
      try excluded.setResourceValues(values)
    #endif
  }

  private func url(_ path: String) -> URL {
    folder.appending(path: path, directoryHint: .notDirectory)
  }

  private static func path(_ url: URL) -> String { url.path(percentEncoded: false) }

  private static func error() -> POSIXError {
    POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }
}
