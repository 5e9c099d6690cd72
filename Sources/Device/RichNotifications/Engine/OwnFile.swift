import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files and folders that this module creates: media, the media of templates and their manifests, receipts, the
/// badge's number and the replay window.
///
/// Each is created here, with the protection `completeUntilFirstUserAuthentication`. Notifications arrive while the
/// phone is locked. If the app's default protection is "Complete", the system then refuses to create a file of that
/// class, so the class has to be set when the file is created: setting it afterwards is too late. No protection at
/// all would leave the files readable before the first unlock, when the keys of encrypted payloads cannot be read
/// either.
///
/// Source: Apple, "Encrypting your app's files", and Apple Platform Security, "Data Protection classes".
enum OwnFile {
  /// Creates a file that does not exist yet.
  ///
  /// - Throws: `POSIXError`, with `EEXIST` if the file exists.
  static func create(_ file: URL, with content: Data = Data()) throws(POSIXError) {
    // `open_dprotected_np` has variadic arguments, which Swift does not import; this calls it.
    var options: Data.WritingOptions = .withoutOverwriting
    #if canImport(Darwin)
      options.insert(.completeFileProtectionUntilFirstUserAuthentication)
    #endif
    do {
      try content.write(to: file, options: options)
    } catch {
      throw cause(of: error)
    }
    chmod(path(file), 0o600)
  }

  /// Opens a file to read and write, and creates it if it does not exist.
  ///
  /// - Returns: The descriptor; -1 if the file cannot be opened.
  static func open(_ file: URL) -> Int32 {
    var descriptor = reopen(file)
    if descriptor < 0, errno == ENOENT {
      // Fails if another process has just created the file, which is as good.
      try? create(file)
      descriptor = reopen(file)
    }
    guard descriptor >= 0 else { return -1 }
    #if canImport(Darwin)
      // For a file from a backup, or of a release that did not set the class.
      try? FileManager.default.setAttributes(protection, ofItemAtPath: path(file))
    #endif
    return descriptor
  }

  /// Opens a file that exists to read and write.
  static func reopen(_ file: URL) -> Int32 {
    // `O_NONBLOCK`, because opening a pipe may wait for its other end.
    let flags = O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
    #if canImport(Glibc)
      return Glibc.open(path(file), flags)
    #else
      return Darwin.open(path(file), flags)
    #endif
  }

  /// Copies a file to a free name; if the file system supports clones, the copy takes no space.
  static func copy(_ file: URL, to copy: URL) throws(POSIXError) {
    do {
      try FileManager.default.copyItem(at: file, to: copy)
    } catch {
      throw cause(of: error)
    }
    #if canImport(Darwin)
      try? FileManager.default.setAttributes(protection, ofItemAtPath: path(copy))
    #endif
    chmod(path(copy), 0o600)
  }

  /// Moves a file, which may be on another volume, to a name that is free.
  static func move(_ file: URL, to place: URL) throws(POSIXError) {
    if rename(path(file), path(place)) == 0 { return }
    try copy(file, to: place)
    unlink(path(file))
  }

  /// Opens a regular file to read.
  ///
  /// `O_NONBLOCK`, because opening a pipe may wait for its writer; a link in place of the file is not followed.
  ///
  /// - Returns: The descriptor and the size in bytes; `nil` if the file does not exist or cannot be read.
  static func openToRead(_ file: URL) -> (descriptor: Int32, size: Int64)? {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    #if canImport(Glibc)
      let descriptor = Glibc.open(path(file), flags)
    #else
      let descriptor = Darwin.open(path(file), flags)
    #endif
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    return (descriptor, Int64(status.st_size))
  }

  /// The size in bytes of a regular file; `nil` if the file does not exist.
  static func size(_ file: URL) -> Int64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path(file))
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
    return (attributes?[.size] as? NSNumber)?.int64Value
  }

  /// The content of a regular file; `nil` if it cannot be read, or has more bytes than a limit.
  static func bytes(of file: URL, atMost limit: Int) -> [UInt8]? {
    guard let (descriptor, size) = openToRead(file) else { return nil }
    defer { close(descriptor) }
    guard size <= limit else { return nil }
    // One more than there are, so that a file which grows meanwhile is not cut off.
    var bytes = [UInt8](repeating: 0, count: Int(size) + 1)
    var count = 0
    while count < bytes.count {
      let read = bytes.withUnsafeMutableBytes { buffer in
        Self.read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
      }
      guard read >= 0 else { return nil }
      if read == 0 { return Array(bytes[..<count]) }
      count += read
    }
    return nil
  }

  /// Reads the next bytes of a file.
  ///
  /// - Returns: Their number; 0 at the end of the file, -1 if it cannot be read.
  static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// Creates a folder and those above it.
  ///
  /// A new file gets the class of its folder if its creator names none, as ImageIO does.
  static func createFolder(_ folder: URL) throws(POSIXError) {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: protection)
    } catch {
      throw cause(of: error)
    }
  }

  static func path(_ file: URL) -> String { file.path(percentEncoded: false) }

  private static var protection: [FileAttributeKey: Any] {
    #if canImport(Darwin)
      [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication]
    #else
      [:]
    #endif
  }

  private static func cause(of error: any Error) -> POSIXError {
    (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError ?? POSIXError(.EIO)
  }
}
