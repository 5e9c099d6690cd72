import Foundation
import PushPayload
import PushServer

/// The log of `martlet serve` on standard error, which never contains a payload, a token or a key.
struct ServeLog: Sendable {
  enum Level: String, CaseIterable, Comparable, Sendable {
    case info, warning, error

    private var rank: Int {
      switch self {
      case .info: 0
      case .warning: 1
      case .error: 2
      }
    }

    static func < (one: Level, other: Level) -> Bool { one.rank < other.rank }
  }

  var isJSON = false
  var minimumLevel = Level.info

  func includes(_ level: Level) -> Bool { level >= minimumLevel }

  /// Writes a line for one answered request.
  func write(_ line: RequestLine, to console: Console) {
    guard includes(.info) else { return }
    var members: [String: JSONValue] = [
      "method": .string(line.method), "route": .string(line.route),
      "status": .integer(Int64(line.status)), "milliseconds": .integer(Int64(line.milliseconds)),
    ]
    members["address"] = .string(line.address)
    members["key_id"] = line.key.map(JSONValue.string)
    members["trace_id"] = line.trace.map(JSONValue.string)
    let key = isJSON ? "" : line.key.map { ", key \($0)" } ?? ""
    write(
      "\(line.method) \(line.route) \(line.status) in \(line.milliseconds) ms from \(line.address)\(key)",
      level: .info,
      request: line.id, members: members, to: console)
  }

  /// The text with its control characters written as `\\u{…}`, so that a caller's text cannot begin a new line
  /// or control a terminal.
  static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return text.unicodeScalars.reduce(into: "") { escaped, scalar in
      if isControl(scalar) {
        escaped += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Writes one line if the level is included, with the id of the request that it is about and, in JSON,
  /// further members.
  func write(
    _ message: String, level: Level, request: String? = nil, members: [String: JSONValue] = [:],
    to console: Console
  ) {
    guard includes(level) else { return }
    let time = Date().formatted(.iso8601)
    guard isJSON else {
      let context = request.map { "request \($0): " } ?? ""
      console.printError("\(time) \(level.rawValue): \(context)\(Self.escaped(message))")
      return
    }
    var line = members.merging([
      "time": .string(time), "level": .string(level.rawValue), "message": .string(message),
    ]) { $1 }
    if let request { line["request_id"] = .string(request) }
    console.printError(String(decoding: JSONValue.object(line).serialized(), as: UTF8.self))
  }
}
