/// Apple's `Logger`, which writes messages of a subsystem and a category.
///
/// Messages are printed to the standard error stream if the environment variable `OS_ACTIVITY_DT_MODE` is set. Private
/// values are printed too, as in Xcode; masked and sensitive ones are not.
///
/// Source: Apple, `Logger`.
public struct Logger: Sendable {
  let destination: OSLog

  /// Creates a logger.
  ///
  /// - Parameters:
  ///   - subsystem: The subsystem, which is not printed.
  ///   - category: The category.
  public init(subsystem: String, category: String) {
    destination = OSLog(subsystem: subsystem, category: category)
  }

  /// Creates a logger without subsystem and category.
  public init() { destination = .default }

  /// Creates a logger of a log.
  ///
  /// - Parameter logObj: The log.
  public init(_ logObj: OSLog) { destination = logObj }

  /// Writes a message.
  ///
  /// - Parameters:
  ///   - level: The level.
  ///   - message: The message.
  public func log(level: OSLogType, _ message: OSLogMessage) {
    LogOutput.write(level, to: destination) { message.text }
  }

  /// Writes a message of the default level.
  ///
  /// - Parameter message: The message.
  public func log(_ message: OSLogMessage) { log(level: .default, message) }

  /// Writes a message of the level `debug`.
  ///
  /// - Parameter message: The message.
  public func trace(_ message: OSLogMessage) { log(level: .debug, message) }

  /// Writes a message of the level `debug`.
  ///
  /// - Parameter message: The message.
  public func debug(_ message: OSLogMessage) { log(level: .debug, message) }

  /// Writes a message of the level `info`.
  ///
  /// - Parameter message: The message.
  public func info(_ message: OSLogMessage) { log(level: .info, message) }

  /// Writes a message of the default level.
  ///
  /// - Parameter message: The message.
  public func notice(_ message: OSLogMessage) { log(level: .default, message) }

  /// Writes a message of the level `error`.
  ///
  /// - Parameter message: The message.
  public func warning(_ message: OSLogMessage) { log(level: .error, message) }

  /// Writes a message of the level `error`.
  ///
  /// - Parameter message: The message.
  public func error(_ message: OSLogMessage) { log(level: .error, message) }

  /// Writes a message of the level `fault`.
  ///
  /// - Parameter message: The message.
  public func critical(_ message: OSLogMessage) { log(level: .fault, message) }

  /// Writes a message of the level `fault`.
  ///
  /// - Parameter message: The message.
  public func fault(_ message: OSLogMessage) { log(level: .fault, message) }
}
