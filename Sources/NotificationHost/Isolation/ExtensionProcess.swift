public import Foundation
package import PushPayload

/// A service extension as an executable, which the host starts for each notification.
///
/// What it does to its process it does to itself alone: a trap, an `exit` and too much memory each
/// show the payload's own content, as on the phone. Its main program is ``ExtensionMain``.
public struct ExtensionProcess: Sendable {
  /// The executable.
  public var executable: URL
  /// Its arguments; by default none.
  public var arguments: [String]
  /// How many bytes it may use beyond what it uses while it waits for a notification.
  ///
  /// By default 24 MiB, where current phones end an extension; 12 MiB is where old ones do. Neither is
  /// documented by Apple.
  public var memoryLimit = 24 << 20
  /// What the program is given beside the notification.
  package var configuration = JSONValue.null
  /// What the program notes beside its reply.
  package var noted: @Sendable (JSONValue) -> Void = { _ in }

  /// Names an executable.
  ///
  /// - Parameters:
  ///   - executable: The executable.
  ///   - arguments: Its arguments.
  public init(executable: URL, arguments: [String] = []) {
    self.executable = executable
    self.arguments = arguments
  }
}
