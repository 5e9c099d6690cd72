import Foundation
import PushPayload
import PushServer

/// Lines on standard error; never a payload, a token or a key.
struct Log: Sendable {
  enum Level: String, CaseIterable, Sendable { case info, warning, error }

  var isJSON = false
  var least = Level.info

  func says(_ level: Level) -> Bool {
    let order = Level.allCases
    return order.firstIndex(of: level) ?? 0 >= order.firstIndex(of: least) ?? 0
  }

  /// One answered request.
  func callAsFunction(_ line: RequestLine, _ console: Console) {
    var members: [String: JSONValue] = [
      "method": .string(line.method), "route": .string(line.route),
      "status": .integer(Int64(line.status)), "milliseconds": .integer(Int64(line.milliseconds)),
    ]
    members["key_id"] = line.key.map(JSONValue.string)
    let key = isJSON ? "" : line.key.map { ", key \($0)" } ?? ""
    self(
      .info, "\(line.method) \(line.route) \(line.status) in \(line.milliseconds) ms\(key)",
      request: line.id, members: members, console)
  }

  func callAsFunction(
    _ level: Level, _ message: String, request: String? = nil,
    members: [String: JSONValue] = [:], _ console: Console
  ) {
    guard says(level) else { return }
    let time = Date().formatted(.iso8601)
    guard isJSON else {
      let place = request.map { "request \($0): " } ?? ""
      console.printError("\(time) \(level.rawValue): \(place)\(message)")
      return
    }
    var line = members.merging([
      "time": .string(time), "level": .string(level.rawValue), "message": .string(message),
    ]) { $1 }
    if let request { line["request_id"] = .string(request) }
    console.printError(String(decoding: JSONValue.object(line).serialized(), as: UTF8.self))
  }
}
