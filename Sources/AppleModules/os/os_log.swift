// swift-format-ignore-file: AlwaysUseLowerCamelCase
import Foundation

// Apple's functions take values of `CVarArg`. On Linux Foundation's classes do not conform to it, so these take any.

/// Writes a message with a format.
///
/// - Parameters:
///   - message: The format, whose specifiers may have options in braces, as in `%{public}@`.
///   - dso: Unused.
///   - log: The log.
///   - type: The level.
///   - args: The values.
public func os_log(
  _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default,
  type: OSLogType = .default, _ args: Any...
) {
  LogOutput.write(type, to: log) { formatted(message, args) }
}

/// Writes a message with a format.
///
/// - Parameters:
///   - type: The level.
///   - dso: Unused.
///   - log: The log.
///   - message: The format, whose specifiers may have options in braces, as in `%{public}@`.
///   - args: The values.
public func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
  _ args: Any...
) {
  LogOutput.write(type, to: log) { formatted(message, args) }
}

/// Writes a message of the default level.
///
/// - Parameter message: The message.
@_disfavoredOverload
public func os_log(_ message: OSLogMessage) {
  LogOutput.write(.default, to: .default) { message.text }
}

/// Writes a message.
///
/// - Parameters:
///   - logLevel: The level.
///   - log: The log.
///   - message: The message.
@_disfavoredOverload
public func os_log(_ logLevel: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
  LogOutput.write(logLevel, to: log) { message.text }
}

/// Fills a format with values; missing and surplus values are ignored.
private func formatted(_ format: StaticString, _ values: [Any]) -> String {
  guard LogOutput.isOn else { return "" }  // The values are already evaluated.
  var rest = values[...]
  let specifier =
    /%(?:\{[^}]*\})?([-+ #0]*(?:[0-9]+|\*)?(?:\.(?:[0-9]+|\*))?(?:hh|h|ll|l|q|j|z|t|L)?)([a-zA-Z@%])/
  return format.description.replacing(specifier) { match in
    if match.2 == "%" { return "%" }
    guard let value = rest.popFirst(), !match.1.contains("*") else { return String(match.0) }
    switch value {
    case let text as String: return text
    case let number as any BinaryInteger where !"diouxXcC".contains(match.2):
      return String(describing: number)
    case let number as any BinaryFloatingPoint where !"aAeEfFgG".contains(match.2):
      return String(describing: number)
    case let number as any CVarArg where !"@sS".contains(match.2):
      return String(format: "%\(match.1)\(match.2)", number)
    default: return String(describing: value)
    }
  }
}
