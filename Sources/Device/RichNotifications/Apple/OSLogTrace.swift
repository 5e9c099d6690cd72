#if canImport(Darwin)
  public import Foundation
  import os

  /// Writes the engine's trace to the unified log, where the Console app shows it for a connected device.
  ///
  /// ```swift
  /// configuration.trace = OSLogTrace.sink()
  /// ```
  ///
  /// Or set `Log` in the extension's Info.plist, see ``RichConfiguration/init(info:)``. Private details, such
  /// as URLs, are readable in Console only while a debugger is attached.
  public enum OSLogTrace {
    /// Returns a closure that logs trace events.
    ///
    /// - Parameters:
    ///   - subsystem: The log's subsystem; by default the extension's bundle identifier.
    ///   - category: The log's category.
    /// - Returns: A value for ``RichConfiguration/trace``.
    public static func sink(
      subsystem: String = Bundle.main.bundleIdentifier ?? "martlet",
      category: String = "notifications"
    ) -> @Sendable (TraceEvent) -> Void {
      let logger = Logger(subsystem: subsystem, category: category)
      return { event in
        let milliseconds = Int((event.at / .milliseconds(1)).rounded())
        logger.notice(
          """
          \(milliseconds) ms \(event.stage.rawValue, privacy: .public) \
          \(event.rule, privacy: .public): \(event.message, privacy: .public) \
          \(event.privateDetail ?? "", privacy: .private)
          """)
      }
    }
  }
#endif
