import Foundation
import PushPayload

/// Lines on standard error; never a payload, a token or a key.
struct Log: Sendable {
  enum Level: String, CaseIterable, Sendable { case info, warning, error }

  var isJSON = false
  var least = Level.info

  func callAsFunction(_ level: Level, _ message: String, request: String? = nil, _ console: Console)
  {
    let order = Level.allCases
    guard order.firstIndex(of: level) ?? 0 >= order.firstIndex(of: least) ?? 0 else { return }
    let time = Date().formatted(.iso8601)
    guard isJSON else {
      let place = request.map { "request \($0): " } ?? ""
      console.printError("\(time) \(level.rawValue): \(place)\(message)")
      return
    }
    var line: [String: JSONValue] = [
      "time": .string(time), "level": .string(level.rawValue), "message": .string(message),
    ]
    if let request { line["request_id"] = .string(request) }
    console.printError(String(decoding: JSONValue.object(line).serialized(), as: UTF8.self))
  }
}
