public import Foundation

/// Apple's `UNUserNotificationCenter`: categories, the person's permission, local notifications.
///
/// An answer comes before the call that asks returns, on the same thread, where Apple's comes later
/// on a thread of its own: nothing then happens that a virtual clock does not know of.
///
/// `@unchecked Sendable`: what varies is reached under the lock alone, and the objects in it never
/// change.
///
/// Source: Apple, `UNUserNotificationCenter`.
public final class UNUserNotificationCenter: NSObject, @unchecked Sendable {
  private static let shared = UNUserNotificationCenter(authorization: .notDetermined)

  struct State {
    var authorization: UNAuthorizationStatus
    var options: UNAuthorizationOptions
    var pending: [UNNotificationRequest] = []
    var delivered: [UNNotification] = []
    var badge = 0
    weak var delegate: (any UNUserNotificationCenterDelegate)?
    fileprivate var visible: Set<UNNotificationCategory> = []
    fileprivate var written: [(categories: Set<UNNotificationCategory>, readsLeft: Int)] = []

    var mayNotify: Bool { authorization != .notDetermined && authorization != .denied }

    /// Shows it, in place of what is shown with that identifier.
    mutating func deliver(_ request: UNNotificationRequest, at date: Date) {
      delivered.removeAll { $0.request.identifier == request.identifier }
      delivered.append(UNNotification(request: request, date: date))
    }
  }

  private let lock = NSLock()
  private var state: State
  private let readsUntilVisible: Int
  private let answers: Bool
  let grantsAuthorization: Bool

  /// Makes a center of a host's own.
  ///
  /// Registration is not synchronous on a device: with `readsUntilVisible` that many reads after a
  /// write still see what was there before it. One that does not answer models a system that hangs.
  /// The person has answered with `authorization`, or answers when asked.
  @_spi(Host) public init(
    readsUntilVisible: Int = 0, answers: Bool = true,
    authorization: UNAuthorizationStatus = .authorized, grantsAuthorization: Bool = true
  ) {
    self.readsUntilVisible = readsUntilVisible
    self.answers = answers
    self.grantsAuthorization = grantsAuthorization
    let asked: UNAuthorizationOptions =
      authorization == .notDetermined ? [] : [.alert, .badge, .sound]
    state = State(authorization: authorization, options: asked)
  }

  /// The process's own center; in an extension that a host runs, the app's.
  ///
  /// - Returns: The same object each time.
  public class func current() -> UNUserNotificationCenter { UNWorld.current.center ?? shared }

  /// The app's code that hears of notifications; not kept alive, and here called by tests alone.
  public weak var delegate: (any UNUserNotificationCenterDelegate)? {
    get { read(\.delegate) }
    set { change { $0.delegate = newValue } }
  }

  /// Replaces all categories of the app.
  ///
  /// - Parameter categories: All that there shall be.
  public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
    guard UNWorld.current.hasNotification() else { return }
    change { $0.written.append((categories, readsUntilVisible)) }
  }

  /// Reads the categories of the app.
  ///
  /// - Parameter completionHandler: Receives them.
  @preconcurrency public func getNotificationCategories(
    completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
  ) {
    let categories = categories()
    answer { completionHandler(categories) }
  }

  /// Reads the categories of the app.
  ///
  /// - Returns: All of them.
  public func notificationCategories() async -> Set<UNNotificationCategory> { categories() }

  private func categories() -> Set<UNNotificationCategory> {
    guard UNWorld.current.hasNotification() else { return [] }
    return change { state in
      while let next = state.written.first, next.readsLeft == 0 {
        state.visible = next.categories
        state.written.removeFirst()
      }
      for index in state.written.indices { state.written[index].readsLeft -= 1 }
      return state.visible
    }
  }

  /// Answers, unless the system hangs.
  func answer(_ body: () -> Void) {
    if answers { body() }
  }

  func read<Value>(_ value: KeyPath<State, Value>) -> Value {
    lock.withLock { state[keyPath: value] }
  }

  func change<Value>(_ body: (inout State) -> Value) -> Value { lock.withLock { body(&state) } }
}
