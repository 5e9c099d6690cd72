import Liquid
import PushPayload

extension LiquidValue {
  static func optional(_ text: String?) -> LiquidValue { text.map(LiquidValue.string) ?? .null }

  /// Makes the value of an attribute, which cannot be an array or an object.
  static func scalar(_ json: JSONValue) -> LiquidValue {
    switch json {
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .string(let value): .string(value)
    case .null, .array, .object: .null
    }
  }
}

extension LiquidValue {
  /// Makes the value of any JSON.
  init(json: JSONValue) {
    switch json {
    case .array(let elements): self = .array(elements.map(LiquidValue.init(json:)))
    case .object(let members): self = .object(JSONMembers(members: members))
    default: self = .scalar(json)
    }
  }
}

private struct JSONMembers: LiquidObject {
  let members: [String: JSONValue]

  var names: [String]? { members.keys.sorted() }

  func member(_ name: String) -> LiquidValue {
    members[name].map(LiquidValue.init(json:)) ?? .null
  }
}
