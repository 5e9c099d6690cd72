public import Foundation

/// Apple's `UNUserNotificationCenter`, as far as an extension needs it: the registered categories.
///
/// An answer comes before the call that asks returns, on the same thread, where Apple's comes later
/// on a thread of its own: nothing then happens that a virtual clock does not know of.
///
/// `@unchecked Sendable`: what varies is reached under the lock alone, and the objects in it never
/// change.
///
/// Source: Apple, `UNUserNotificationCenter`.
public final class UNUserNotificationCenter: NSObject, @unchecked Sendable {
  private static let shared = UNUserNotificationCenter()

  private struct State {
    var visible: Set<UNNotificationCategory> = []
    var written: [(categories: Set<UNNotificationCategory>, readsLeft: Int)] = []
  }

  private let lock = NSLock()
  private var state = State()
  private let readsUntilVisible: Int
  private let answers: Bool

  /// Makes a center of a host's own.
  ///
  /// Registration is not synchronous on a device: with `readsUntilVisible` that many reads after a
  /// write still see what was there before it. One that does not answer models a system that hangs.
  @_spi(Host) public init(readsUntilVisible: Int = 0, answers: Bool = true) {
    self.readsUntilVisible = readsUntilVisible
    self.answers = answers
  }

  /// The process's own center; in an extension that a host runs, the app's.
  ///
  /// - Returns: The same object each time.
  public class func current() -> UNUserNotificationCenter { UNWorld.current.center ?? shared }

  /// Replaces all categories of the app.
  ///
  /// - Parameter categories: All that there shall be.
  public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
    guard UNWorld.current.hasNotification() else { return }
    lock.withLock { state.written.append((categories, readsUntilVisible)) }
  }

  /// Reads the categories of the app.
  ///
  /// - Parameter completionHandler: Receives them.
  public func getNotificationCategories(
    completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
  ) {
    let categories = read()
    if answers { completionHandler(categories) }
  }

  /// Reads the categories of the app.
  ///
  /// - Returns: All of them.
  public func notificationCategories() async -> Set<UNNotificationCategory> { read() }

  private func read() -> Set<UNNotificationCategory> {
    guard UNWorld.current.hasNotification() else { return [] }
    return lock.withLock {
      while let next = state.written.first, next.readsLeft == 0 {
        state.visible = next.categories
        state.written.removeFirst()
      }
      for index in state.written.indices { state.written[index].readsLeft -= 1 }
      return state.visible
    }
  }
}
