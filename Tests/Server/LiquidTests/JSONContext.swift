import Liquid
import PushPayload

/// A JSON object as the context of a template.
struct JSONContext: LiquidObject {
  var members: [String: JSONValue]

  init(_ json: JSONValue) { members = json.object ?? [:] }

  var names: [String]? { members.keys.sorted() }

  func member(_ name: String) -> LiquidValue { members[name].map(Self.value) ?? .null }

  private static func value(_ json: JSONValue) -> LiquidValue {
    switch json {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .string(let value): .string(value)
    case .array(let elements): .array(elements.map(value))
    case .object: .object(JSONContext(json))
    }
  }
}

/// Renders a template at 2026-11-21 09:30 UTC.
func render(
  _ source: String, _ context: JSONValue = [:], limits: Template.Limits = .init()
) throws -> String {
  try render(source, JSONContext(context), limits: limits)
}

/// Renders a template at 2026-11-21 09:30 UTC.
func render(
  _ source: String, _ context: some LiquidObject, limits: Template.Limits = .init()
) throws -> String {
  var output: [UInt8] = []
  let template = try Template(source, limits: limits)
  try template.render(context, now: 1_795_253_400, into: &output)
  return String(decoding: output, as: UTF8.self)
}
