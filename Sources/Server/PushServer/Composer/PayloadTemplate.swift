import PushModel
import PushPayload

/// A JSON document in which some values differ by device.
indirect enum PayloadTemplate: Sendable {
  case fixed(JSONValue)
  case text(PersonalizedText, Role)
  /// The device's badge plus this number.
  case badge(adding: Int64)
  case object([String: PayloadTemplate])
  case array([PayloadTemplate])

  /// The part of the alert that a text fills, in the order of shortening; `other` is never shortened.
  enum Role: Int, Sendable { case body, subtitle, title, other }

  /// Returns the badge of a device plus an increment, from 0 to `Int32.max`.
  static func badge(of device: Recipient?, adding increment: Int64) -> Int64 {
    let sum = (device?.badge ?? 0).addingReportingOverflow(increment)
    return sum.overflow ? Int64(Int32.max) : min(max(0, sum.partialValue), Int64(Int32.max))
  }

  /// Makes the template of a custom value, whose texts may be Liquid.
  init(custom field: BodyValue) throws(ComposeError) {
    switch field.value {
    case .string(let text) where text.contains("{{") || text.contains("{%"):
      self = .text(try PersonalizedText(field), .other)
    case .object(let members):
      var templates: [String: PayloadTemplate] = [:]
      for (name, value) in members {
        templates[name] = try PayloadTemplate(custom: field.member(name, value))
      }
      self = .object(templates)
    case .array(let elements):
      var templates: [PayloadTemplate] = []
      for (index, value) in elements.enumerated() {
        templates.append(
          try PayloadTemplate(custom: BodyValue(value, at: "\(field.path)[\(index)]")))
      }
      self = .array(templates)
    default: self = .fixed(field.value)
    }
  }
}
