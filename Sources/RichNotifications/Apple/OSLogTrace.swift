#if canImport(os)
  public import Foundation
  import os

  /// Writes a trace to the system's log, where Console shows it while the phone is connected.
  ///
  /// ```swift
  /// configuration.trace = OSLogTrace.sink()
  /// ```
  ///
  /// Or without code: `Log` in the extension's Info.plist, see ``RichConfiguration/init(info:)``. What is
  /// private of an event, a URL for instance, is readable in Console only with a debugger attached.
  public enum OSLogTrace {
    /// Makes what receives a trace.
    ///
    /// - Parameters:
    ///   - subsystem: Whose messages they are; by default the extension's bundle identifier.
    ///   - category: What they are about.
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
