public import Foundation
import Synchronization

/// The environment that a host provides for the code of an extension.
///
/// The code finds it in a task-local value, which its tasks inherit. If that value is lost, as on a dispatch
/// queue, in a detached task or on a thread, the environment of the extension that was started last is used.
@_spi(Host) public struct UNWorld: Sendable {
  /// Whether the initializer of an attachment throws for a file that cannot be read.
  public var checksFileAtInit = true
  /// The number of bytes of a megabyte in the attachments' limits.
  public var megabyte: Int64 = 1_000_000
  /// The app's notification center; `nil` for the process's own.
  public var center: UNUserNotificationCenter?
  /// Whether the extension is processing a notification.
  ///
  /// If not, its use of the center has no effect.
  public var hasNotification: @Sendable () -> Bool = { true }
  /// The network; `nil` if the extension has no network.
  public var network: (any URLNetwork)?
  /// The objects that the sessions of this environment share.
  let sessions = URLSessionStore()
  /// Calls a closure after a time of the host's clock, and returns a closure that cancels the call; `nil` for real
  /// time.
  public var schedule:
    (@Sendable (_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void)?
  /// Calls a closure of the extension on the calling thread, unless the extension's run has ended.
  public var enter: @Sendable (_ body: () -> Void) -> Void = { $0() }
  /// Called when the extension submits a block to a queue; returns a function that runs it, or `nil` if the host does
  /// not wait for it.
  public var submit: @Sendable () -> (@Sendable (_ block: () -> Void) -> Void)? = { nil }
  /// The executor of the extension's tasks; `nil` for the runtime's.
  public var executor: (any TaskExecutor)?
  /// The containers of the extension's app groups by identifier.
  public var appGroups: [String: URL] = [:]
  /// The extension's temporary folder, also for downloads.
  public var temporaryDirectory = FileManager.FoundationEssentials::default.temporaryDirectory
  /// The extension's data container; `nil` for the folders of the process.
  public var container: URL?
  /// The extension's bundle; `nil` for the process's own.
  public var bundle: Bundle?
  /// The keychain of the phone; `nil` for code outside of a phone.
  public var keychain: UNKeychain?
  /// Called with a line for each limit of the model that the code meets.
  public var notModelled: @Sendable (String) -> Void = UNWorld.printLimit

  /// Creates the environment of code that runs without a host.
  public init() {}

  @TaskLocal private static var taskLocal: UNWorld?
  /// The environment of code that runs without a host.
  static let process = UNWorld()
  private static let last = Mutex<UNWorld?>(nil)

  /// The environment of the calling code.
  public static var current: UNWorld { taskLocal ?? process }

  /// The environment of the calling code, or that of the last host if the task-local value is lost.
  public static var currentOrLast: UNWorld { taskLocal ?? last.withLock { $0 } ?? process }

  /// The environment of the calling code's extension; `nil` for code that belongs to none.
  ///
  /// Code of a queue or thread without the task-local value belongs to the last host, while its extension processes a
  /// notification. A task without it does not belong to the extension, but for example to a test.
  static var ofExtension: UNWorld? {
    if let taskLocal { return taskLocal }
    let isTask = unsafe withUnsafeCurrentTask { task in unsafe task != nil }
    guard !isTask, let last = last.withLock({ $0 }), last.hasNotification() else { return nil }
    return last
  }

  /// Makes this the environment of code that has no task-local value.
  ///
  /// - Parameter replaces: Whether it takes the place of another one, whose extension still runs.
  public func becomeLast(replacing replaces: Bool = true) {
    Self.replaceLast { last in replaces ? self : last ?? self }
  }

  /// Ends the use of this environment by code that has no task-local value.
  public func resignLast() {
    Self.replaceLast { last in last?.sessions === sessions ? nil : last }
  }

  private static func replaceLast(_ next: (UNWorld?) -> UNWorld?) {
    let before = last.withLock { last in
      defer { last = next(last) }
      return last
    }
    withExtendedLifetime(before) {}  // Its objects must not be released while the lock is held.
  }

  /// Calls a closure in this environment, unless the extension's run has ended.
  public func run(_ body: () -> Void) {
    enter { Self.$taskLocal.withValue(self, operation: body) }
  }

  /// Calls an asynchronous closure in this environment.
  public func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    try await Self.$taskLocal.withValue(self, operation: body)
  }
}
