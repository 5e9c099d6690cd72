public import Foundation
public import PushPayload

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The number on the app's icon, kept where extension and app both see it.
///
/// The system tells an extension nothing of the present number, so "one more" needs a count of one's
/// own. The app sets it whenever it sets the badge:
///
/// ```swift
/// BadgeCounter(folder: appGroupContainer).set(0)
/// ```
public struct BadgeCounter: Sendable {
  /// How often a lock that another holds is tried; it is held for microseconds.
  private static let attempts = 1000

  private let folder: URL
  private var file: String {
    folder.appending(path: "badge", directoryHint: .notDirectory).path(percentEncoded: false)
  }

  /// Names a counter; nothing is made before the first change.
  ///
  /// - Parameter folder: The app group's container, the same in app and extension.
  public init(folder: URL) {
    self.folder = folder.appending(path: "Library/Martlet", directoryHint: .isDirectory)
  }

  /// The number; 0 where there is none yet, or what is there is no number.
  public var number: Int {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    return Self.read(descriptor)
  }

  /// Changes the number.
  ///
  /// - Parameter change: How.
  /// - Returns: What the badge shall be; `nil` where the number cannot be kept, or another process
  ///   does not let go of it, and the badge is better left as it is.
  public func apply(_ change: BadgeChange) -> Int? {
    update { number in
      switch change {
      case .set(let number): return max(0, number)
      case .add(let difference):
        let (sum, overflow) = number.addingReportingOverflow(difference)
        return overflow ? .max : max(0, sum)
      }
    }
  }

  /// Sets the number, as the app does when it sets the badge itself.
  ///
  /// - Parameter number: The number; a negative one is 0.
  /// - Returns: Whether it is kept.
  @discardableResult
  public func set(_ number: Int) -> Bool { apply(.set(number)) != nil }

  /// One read and one write under a lock that ends with the descriptor, also where the process is
  /// killed.
  ///
  /// It is never waited for: the system ends an app that it suspends while it holds a lock.
  private func update(_ change: (Int) -> Int) -> Int? {
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard Self.lock(descriptor) else { return nil }
    // A process that was forked meanwhile may still have the descriptor, and with it the lock.
    defer { flock(descriptor, LOCK_UN) }
    protect()
    let number = change(Self.read(descriptor))
    return Self.write(number, to: descriptor) ? number : nil
  }

  /// The extension runs on a locked phone, where a file of the strictest class cannot be opened.
  private func protect() {
    #if os(iOS) || os(watchOS) || os(visionOS)
      try? FileManager.default.setAttributes(
        [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
        ofItemAtPath: file)
    #endif
  }

  private static func lock(_ descriptor: Int32) -> Bool {
    for _ in 0..<attempts {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK || errno == EINTR else { return false }
      sched_yield()
    }
    return false
  }

  /// As many digits as the largest number has, always, so that a number is replaced by one write and
  /// nothing of it is left.
  private static let width = 19

  private static func read(_ descriptor: Int32) -> Int {
    var digits = [UInt8](repeating: 0, count: width + 1)
    let count = pread(descriptor, &digits, digits.count, 0)
    guard count == width,
      digits[..<width].allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return 0 }
    return Int(String(decoding: digits[..<width], as: UTF8.self)) ?? 0
  }

  private static func write(_ number: Int, to descriptor: Int32) -> Bool {
    let text = String(number)
    let digits = Array((String(repeating: "0", count: width - text.utf8.count) + text).utf8)
    return pwrite(descriptor, digits, width, 0) == width && ftruncate(descriptor, off_t(width)) == 0
  }
}
