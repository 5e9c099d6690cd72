import Foundation

/// The standard error stream, to which messages are printed if the environment variable `OS_ACTIVITY_DT_MODE` is set.
///
/// Xcode sets that variable for the same purpose.
enum LogOutput {
  static var isOn: Bool { unsafe getenv("OS_ACTIVITY_DT_MODE") != nil }

  /// Prints a message, which is made only if it is recorded.
  static func write(_ type: OSLogType, to log: OSLog, message: () -> String) {
    guard log.isEnabled(type: type) else { return }
    let message = message()
    guard isOn else { return }
    let category = log.category.isEmpty ? "" : "[\(log.category)] "
    FileHandle.standardError.write(Data("\(category)\(name(of: type))\(message)\n".utf8))
  }

  private static func name(of type: OSLogType) -> String {
    switch type {
    case .debug: "debug: "
    case .info: "info: "
    case .error: "error: "
    case .fault: "fault: "
    default: ""
    }
  }
}
