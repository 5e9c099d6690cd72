public import Foundation
import Synchronization

/// What the look-alike asks of the host that runs an extension.
///
/// Code that a host runs finds it through a task-local value, which tasks and threads that it starts
/// by `Task` inherit; where that is lost, as on a dispatch queue, the network of the last host counts.
@_spi(Host) public struct UNWorld: Sendable {
  /// Answers a request of a session once; gives what cancels it.
  public typealias Network =
    @Sendable (
      _ request: URLRequest, _ timeout: TimeInterval,
      _ completion: @escaping @Sendable (Result<(HTTPURLResponse, Data), URLError>) -> Void
    ) -> @Sendable () -> Void

  /// Whether an attachment of a file that cannot be read throws.
  public var checksFileAtInit = true
  /// How many bytes a megabyte of the attachments' limits has.
  public var megabyte: Int64 = 1_000_000
  /// The app's center; `nil` for the process's own.
  public var center: UNUserNotificationCenter?
  /// Whether the extension has a notification in hand; without one the center is of no use to it.
  public var hasNotification: @Sendable () -> Bool = { true }
  /// The network; `nil` for none.
  public var network: Network?
  /// The folders of the app groups that the extension has, by their ids.
  public var appGroups: [String: URL] = [:]
  /// Where downloads are put.
  public var temporaryDirectory = FileManager.default.temporaryDirectory

  /// The world of code that no host runs.
  public init() {}

  @TaskLocal private static var taskLocal: UNWorld?
  private static let last = Mutex<UNWorld?>(nil)

  /// The world of the code that asks.
  public static var current: UNWorld { taskLocal ?? UNWorld() }

  /// The same, with the last host's where the task-local value is lost.
  static var currentOrLast: UNWorld { taskLocal ?? last.withLock { $0 } ?? UNWorld() }

  /// Runs code in this world.
  public func run(_ body: () -> Void) {
    Self.last.withLock { $0 = self }
    Self.$taskLocal.withValue(self, operation: body)
  }
}
