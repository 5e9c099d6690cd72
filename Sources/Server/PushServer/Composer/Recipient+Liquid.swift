package import Liquid
package import PushModel
import PushPayload

/// A device's values in templates: `custom.NAME`, `event.NAME`, `user_id`, `locale` and so on.
extension Recipient: LiquidObject {
  package func member(_ name: String) -> LiquidValue {
    switch name {
    case "custom": .object(CustomAttributes(attributes: attributes))
    case "device_id": .string(id)
    case "user_id": .optional(userID)
    case "user_email", "email": .optional(userEmail)
    case "platform": .string(platform)
    case "locale": .optional(locale)
    case "language":
      .optional(locale.map { String($0.prefix { $0 != "-" && $0 != "_" && $0 != "@" }) })
    case "time_zone": .optional(timeZone)
    case "app_version": .optional(appVersion)
    case "os_version": .optional(osVersion)
    case "badge": badge.map(LiquidValue.integer) ?? .null
    case "tags": .array(tags.map(LiquidValue.string))
    case "event": event.map(LiquidValue.init(json:)) ?? .null
    default: .null
    }
  }
}

private struct CustomAttributes: LiquidObject {
  let attributes: [String: Attribute]

  var names: [String]? { attributes.keys.sorted() }

  func member(_ name: String) -> LiquidValue {
    guard let attribute = attributes[name] else { return .null }
    return attribute.value.array.map { .array($0.map(LiquidValue.scalar)) }
      ?? .scalar(attribute.value)
  }
}
