import Liquid
import PushPayload

extension LiquidValue {
  static func optional(_ text: String?) -> LiquidValue { text.map(LiquidValue.string) ?? .null }

  /// Makes the value of an attribute, which is never an array or an object.
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
