public import Foundation
package import PushPayload

/// A service extension that is an executable, which the host starts for each notification.
///
/// A trap, an `exit` or too much memory ends only the extension's process, and the payload's own content is
/// shown, as on a phone. The executable's main program is ``ExtensionMain``.
public struct ExtensionProcess: Sendable {
  /// The executable.
  public var executable: URL
  /// The command-line arguments.
  public var arguments: [String]
  /// The memory limit in bytes, beyond the memory of the idle process.
  ///
  /// The default is 24 MiB, the limit of current phones. Old phones kill an extension at 12 MiB. Apple documents
  /// neither.
  public var memoryLimit = 24 << 20
  /// A value that the program receives with the notification.
  package var configuration = JSONValue.null
  /// Receives the values that the program sends with ``HostConnection/note(_:)``.
  package var noted: @Sendable (JSONValue) -> Void = { _ in }

  /// Creates a description of an executable.
  ///
  /// - Parameters:
  ///   - executable: The executable's file.
  ///   - arguments: The command-line arguments.
  public init(executable: URL, arguments: [String] = []) {
    self.executable = executable
    self.arguments = arguments
  }
}
