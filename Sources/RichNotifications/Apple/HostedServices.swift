#if canImport(UserNotifications) && !canImport(Darwin)
  import Foundation
  package import PushPayload

  /// The services and the Info.plist that a host provides for the code of an extension.
  ///
  /// The code finds them in a task-local value, which its tasks inherit, so that extensions of hosts in parallel tests
  /// have the services of their own host. Where that value is lost, as on a dispatch queue, those of the last host are
  /// used (docs/decisions/0013).
  package struct HostedServices: Sendable {
    let environment: RichEnvironment
    let info: JSONValue

    /// Creates the services of one phone.
    ///
    /// - Parameters:
    ///   - environment: The value of ``RichEnvironment/device``.
    ///   - info: The extension's Info.plist.
    package init(environment: RichEnvironment, info: JSONValue) {
      self.environment = environment
      self.info = info
    }

    @TaskLocal private static var taskLocal: HostedServices?
    private static let last = Locked<HostedServices?>(nil)

    /// The services of the calling code; `nil` in a process without a host.
    static var current: HostedServices? { taskLocal ?? last.withLock { $0 } }

    /// Calls a closure with these services.
    package func run(_ body: () -> Void) {
      Self.last.withLock { $0 = self }
      Self.$taskLocal.withValue(self, operation: body)
    }
  }
#endif
