public import Foundation
public import PushPayload

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A counter for the app icon's badge, stored in a file that the extension and the app share.
///
/// An extension cannot read the current badge, so a relative change needs a stored number. The app sets it
/// whenever it sets the badge:
///
/// ```swift
/// BadgeCounter(folder: appGroupContainer).set(0)
/// ```
public struct BadgeCounter: Sendable {
  /// The maximum number of times to try the lock, which other processes hold for microseconds.
  private static let maximumLockTries = 1000

  private let folder: URL
  private var file: String {
    folder.appending(path: "badge", directoryHint: .notDirectory).path(percentEncoded: false)
  }

  /// Creates a counter.
  ///
  /// The file is created with the first change.
  ///
  /// - Parameter folder: The app group's container, the same in app and extension.
  public init(folder: URL) {
    self.folder = folder.appending(path: "Library/Martlet", directoryHint: .isDirectory)
  }

  /// The stored number; 0 if there is none.
  public var number: Int {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    return Self.read(descriptor)
  }

  /// Changes the number.
  ///
  /// - Parameter change: The change.
  /// - Returns: The new badge; `nil` if the number cannot be stored or another process holds the lock. The badge
  ///   should then stay as it is.
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

  /// Sets the number.
  ///
  /// Call it in the app whenever it sets the badge.
  ///
  /// - Parameter number: The number; a negative one counts as 0.
  /// - Returns: Whether it was stored.
  @discardableResult
  public func set(_ number: Int) -> Bool { apply(.set(number)) != nil }

  /// Reads and writes the number under a file lock, which is released with the descriptor even if the process is
  /// killed.
  ///
  /// Nothing blocks on the lock: the system kills an app that it suspends while the app holds a file lock.
  private func update(_ change: (Int) -> Int) -> Int? {
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard Self.lock(descriptor) else { return nil }
    // A process forked in the meantime may have inherited the descriptor, and with it the lock.
    defer { flock(descriptor, LOCK_UN) }
    protect()
    let number = change(Self.read(descriptor))
    return Self.write(number, to: descriptor) ? number : nil
  }

  /// The extension runs while the phone is locked, when files with complete protection cannot be opened.
  private func protect() {
    #if os(iOS) || os(watchOS) || os(visionOS)
      try? FileManager.default.setAttributes(
        [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
        ofItemAtPath: file)
    #endif
  }

  private static func lock(_ descriptor: Int32) -> Bool {
    for _ in 0..<maximumLockTries {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK || errno == EINTR else { return false }
      sched_yield()
    }
    return false
  }

  /// The number of digits in the file, those of `Int.max`.
  ///
  /// A fixed width lets one write replace the number.
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
