public import FoundationEssentials
import PushPayload

/// The error of reading a fault script.
public struct FaultScriptError: Error, Sendable, CustomStringConvertible {
  /// The number of the rule from 1; `nil` if the document itself is wrong.
  public var rule: Int?
  /// The key whose value is wrong or missing, if any.
  public var key: String?
  /// The fault, and the expected value.
  public var message: String

  /// The rule, the key and the message.
  public var description: String {
    let place = [rule.map { "rule \($0)" }, key.map { "\"\($0)\"" }].compactMap(\.self)
    return (place + [message]).joined(separator: ": ")
  }
}

extension FaultScript {
  /// The most rules of a script.
  static let maximumRules = 1000

  /// Reads a script from JSON: `{"rules":[…]}`.
  ///
  /// - Parameter json: The document.
  /// - Throws: ``FaultScriptError``, which names the rule and the key.
  public init(json: Data) throws(FaultScriptError) {
    guard let document = try? JSONValue(parsing: json) else {
      throw FaultScriptError(message: "the script is not JSON; it takes {\"rules\":[…]}")
    }
    guard let list = document["rules"]?.array else {
      throw FaultScriptError(key: "rules", message: "takes an array of rules")
    }
    if let other = document.object?.keys.filter({ $0 != "rules" }).min() {
      throw FaultScriptError(key: other, message: "is not a key of a script; it takes \"rules\"")
    }
    guard list.count <= Self.maximumRules else {
      throw FaultScriptError(
        key: "rules", message: "has \(list.count) rules; it takes at most \(Self.maximumRules)")
    }
    var rules: [Rule] = []
    for (index, value) in list.enumerated() {
      var reader = try RuleReader(value, number: index + 1)
      rules.append(try reader.rule())
    }
    self.init(rules)
  }
}

/// A reader of one rule, which removes each key that it reads.
private struct RuleReader {
  /// The values of `do`.
  private static let faults = [
    "goaway", "limit", "stall", "reset", "status", "refuse", "latency", "half-open", "slow",
    "settings", "garbage",
  ]
  private let number: Int
  /// The members that were not read yet.
  private var members: [String: JSONValue]

  init(_ value: JSONValue, number: Int) throws(FaultScriptError) {
    self.number = number
    guard let object = value.object else {
      throw FaultScriptError(rule: number, message: "is \(value.typeName); it takes an object")
    }
    members = object
  }

  mutating func rule() throws(FaultScriptError) -> FaultScript.Rule {
    let after = try whole("after", 0...Int64(Int32.max)).map { Int($0) }
    let at = try duration("at")
    let token = try text("token")
    let every = try whole("every", 1...Int64(Int32.max)).map { Int($0) }
    let count = try whole("count", 1...Int64(Int32.max)).map { Int($0) }
    var lasting = try duration("for")
    guard let word = try text("do") else {
      throw error("do", "is missing; it takes \(Self.faults.joined(separator: ", "))")
    }
    let fault = try fault(word, &lasting)
    if let other = members.keys.min() { throw error(other, "is not a key of \"\(word)\"") }
    return FaultScript.Rule(
      fault, after: after, at: at, token: token, every: every, count: count, lasting: lasting)
  }

  private mutating func fault(
    _ word: String, _ lasting: inout Duration?
  ) throws(FaultScriptError) -> Fault {
    let any = Int64(UInt32.min)...Int64(UInt32.max)
    switch word {
    case "goaway":
      return .goAway(
        lastStream: try whole("last_stream", 0...Int64(Int32.max)).map { Int32($0) },
        reason: try text("reason") ?? "Shutdown",
        code: UInt32(try whole("code", any) ?? 0))
    case "limit": return .limit(UInt32(try needed("value", any)))
    case "stall": return .stall
    case "reset":
      guard let code = try whole("value", any) else { return .drop }
      return .resetStream(code: UInt32(code))
    case "status":
      return .answer(
        status: Int(try needed("status", 200...599)), reason: try text("reason"),
        timestamp: try whole("timestamp", 0...Int64.max))
    case "refuse": return lasting == nil ? .refuse : .refuseConnections
    case "latency":
      if let latency = try latency() { return .latency(latency) }
      guard let wait = lasting else {
        throw error("value", "is missing; it takes milliseconds or a duration")
      }
      lasting = nil
      return .latency(wait)
    case "half-open": return .halfOpen
    case "slow": return .slowReading(window: UInt32(try whole("value", 1...65_535) ?? 16))
    case "settings":
      let limit = try whole("max_concurrent_streams", any)
      let window = try whole("initial_window_size", 0...Int64(Int32.max))
      // `value` alone stands for `max_concurrent_streams`.
      let value = try whole("value", any)
      guard limit ?? window ?? value != nil else {
        throw error("max_concurrent_streams", "or \"initial_window_size\" or \"value\" is missing")
      }
      return .settings(
        limit: (limit ?? value).map { UInt32($0) }, window: window.map { UInt32($0) })
    case "garbage": return .garbage(try invalidFrame())
    default: throw error("do", "is \"\(word)\"; it takes \(Self.faults.joined(separator: ", "))")
    }
  }

  private mutating func invalidFrame() throws(FaultScriptError) -> InvalidFrame {
    let names = InvalidFrame.all.map(\.name).joined(separator: ", ")
    switch members.removeValue(forKey: "value") {
    case nil: return .text
    case .string(let name)?:
      if let found = InvalidFrame.all.first(where: { $0.name == name }) { return found }
    case .integer(let number)?:
      if (1...Int64(InvalidFrame.all.count)).contains(number) {
        return InvalidFrame.all[Int(number) - 1]
      }
    default: break
    }
    throw error("value", "takes 1 to \(InvalidFrame.all.count) or one of \(names)")
  }

  private func error(_ key: String, _ message: String) -> FaultScriptError {
    FaultScriptError(rule: number, key: key, message: message)
  }

  private mutating func text(_ key: String) throws(FaultScriptError) -> String? {
    guard let value = members.removeValue(forKey: key) else { return nil }
    guard let text = value.string else {
      throw error(key, "is \(value.typeName); it takes a string")
    }
    return text
  }

  private mutating func whole(
    _ key: String, _ range: ClosedRange<Int64>
  ) throws(FaultScriptError) -> Int64? {
    guard let value = members.removeValue(forKey: key) else { return nil }
    guard let number = value.integer, range.contains(number) else {
      throw error(key, "takes a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private mutating func needed(
    _ key: String, _ range: ClosedRange<Int64>
  ) throws(FaultScriptError) -> Int64 {
    guard let value = try whole(key, range) else { throw error(key, "is missing") }
    return value
  }

  private mutating func duration(_ key: String) throws(FaultScriptError) -> Duration? {
    guard let value = members.removeValue(forKey: key) else { return nil }
    let duration =
      value.number.flatMap { Duration(delay: $0, .seconds(1)) }
      ?? value.string.flatMap { Duration(delay: $0) }
    guard let duration else {
      throw error(key, "takes a duration such as \"200ms\" or \"2s\", at most a day")
    }
    return duration
  }

  /// Reads the value of `latency`; a number without a unit is in milliseconds.
  private mutating func latency() throws(FaultScriptError) -> Latency? {
    guard let value = members.removeValue(forKey: "value") else { return nil }
    let latency =
      value.number.flatMap { Duration(delay: $0, .milliseconds(1)) }.map(Latency.fixed)
      ?? value.string.flatMap { text in
        Duration(delay: text, unit: .milliseconds(1)).map(Latency.fixed) ?? Latency(parsing: text)
      }
    guard let latency else {
      throw error("value", "takes a duration of at most a day, or several: \(Latency.forms)")
    }
    return latency
  }
}
