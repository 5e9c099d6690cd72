#if canImport(UserNotifications) && !canImport(Darwin)
  import Foundation
  package import PushPayload

  /// The services and the Info.plist that a host provides for the code of an extension.
  ///
  /// The code finds them in a task-local value, which its tasks inherit, so that extensions of hosts in parallel tests
  /// have the services of their own host. On a dispatch queue the value is lost, and the code has no services.
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

    /// The services of the calling code; `nil` outside of a host.
    @TaskLocal static var current: HostedServices?

    /// Calls a closure with these services.
    package func run(_ body: () -> Void) {
      Self.$current.withValue(self, operation: body)
    }
  }
#endif
