import Foundation
import PushPayload

/// Lines on standard error; never a payload, a token or a key.
struct Log: Sendable {
  enum Level: String, CaseIterable, Sendable { case info, warning, error }

  var isJSON = false
  var least = Level.info

  func callAsFunction(_ level: Level, _ message: String, _ console: Console) {
    let order = Level.allCases
    guard order.firstIndex(of: level) ?? 0 >= order.firstIndex(of: least) ?? 0 else { return }
    let time = Date().formatted(.iso8601)
    guard isJSON else {
      console.printError("\(time) \(level.rawValue): \(message)")
      return
    }
    let line: JSONValue = [
      "time": .string(time), "level": .string(level.rawValue), "message": .string(message),
    ]
    console.printError(String(decoding: line.serialized(), as: UTF8.self))
  }
}
