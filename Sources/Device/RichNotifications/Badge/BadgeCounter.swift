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
  private let file: LockedFile

  /// Creates a counter.
  ///
  /// The file is created with the first change.
  ///
  /// - Parameter folder: The app group's container, the same in app and extension.
  public init(folder: URL) {
    file = LockedFile(
      url: folder.appending(path: "Library/Martlet/badge", directoryHint: .notDirectory))
  }

  /// The stored number; 0 if no number was ever stored.
  public var number: Int {
    let descriptor = open(OwnFile.path(file.url), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
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
    file.withLock { descriptor in
      let number = Self.result(of: change, from: Self.read(descriptor))
      return Self.write(number, to: descriptor) ? number : nil
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

  private static func result(of change: BadgeChange, from number: Int) -> Int {
    switch change {
    case .set(let number): return max(0, number)
    case .add(let difference):
      let (sum, overflow) = number.addingReportingOverflow(difference)
      return overflow ? .max : max(0, sum)
    }
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
