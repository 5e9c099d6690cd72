public import Foundation

/// Apple's `UNUserNotificationCenter`: categories, authorization and local notifications.
///
/// Completion handlers are called on the same thread before the method returns, so that nothing happens
/// outside of a virtual clock. Apple's class calls them later on another thread.
///
/// `@unchecked Sendable`: the mutable state is accessed only under the lock, and the objects in it are
/// immutable.
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

    /// Adds a delivered notification, which replaces one with the same identifier.
    mutating func deliver(_ request: UNNotificationRequest, at date: Date) {
      delivered.removeAll { $0.request.identifier == request.identifier }
      delivered.append(UNNotification(request: request, date: date))
    }
  }

  private let lock = NSLock()
  private var state: State
  private let readsUntilVisible: Int
  private let responds: Bool
  let grantsAuthorization: Bool

  /// Creates a center for a host.
  ///
  /// `readsUntilVisible` is the number of reads after a write that still return the previous categories, because
  /// registration is asynchronous on a device. A center that does not respond models a system that hangs.
  /// `authorization` is the person's decision, and `grantsAuthorization` the one that follows a request.
  @_spi(Host) public init(
    readsUntilVisible: Int = 0, responds: Bool = true,
    authorization: UNAuthorizationStatus = .authorized, grantsAuthorization: Bool = true
  ) {
    self.readsUntilVisible = readsUntilVisible
    self.responds = responds
    self.grantsAuthorization = grantsAuthorization
    let requested: UNAuthorizationOptions =
      authorization == .notDetermined ? [] : [.alert, .badge, .sound]
    state = State(authorization: authorization, options: requested)
  }

  /// The process's center, or the app's center in an extension that a host runs.
  ///
  /// - Returns: The same object each time.
  public class func current() -> UNUserNotificationCenter { UNWorld.current.center ?? shared }

  /// The delegate, which on Linux only tests call.
  public weak var delegate: (any UNUserNotificationCenterDelegate)? {
    get { read(\.delegate) }
    set { change { $0.delegate = newValue } }
  }

  /// Replaces the registered categories.
  ///
  /// - Parameter categories: The new categories.
  public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
    guard UNWorld.current.hasNotification() else { return }
    change { $0.written.append((categories, readsUntilVisible)) }
  }

  /// Reads the registered categories.
  ///
  /// - Parameter completionHandler: Receives the categories.
  @preconcurrency public func getNotificationCategories(
    completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
  ) {
    let categories = categories()
    respond { completionHandler(categories) }
  }

  /// Reads the registered categories.
  ///
  /// - Returns: The categories.
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

  /// Calls a completion handler, unless the center models a system that hangs.
  func respond(_ body: () -> Void) {
    if responds { body() }
  }

  func read<Value>(_ value: KeyPath<State, Value>) -> Value {
    lock.withLock { state[keyPath: value] }
  }

  func change<Value>(_ body: (inout State) -> Value) -> Value { lock.withLock { body(&state) } }
}
