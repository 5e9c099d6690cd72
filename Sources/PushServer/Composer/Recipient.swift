package import Liquid
import PushPayload
package import PushStore

/// What a payload may depend on of a device.
package struct Recipient: Sendable {
  package var id: String
  package var userID: String?
  package var userEmail: String?
  package var platform: String
  package var locale: String?
  package var timeZone: String?
  package var appVersion: String?
  package var osVersion: String?
  package var badge: Int64?
  package var tags: [String]
  package var attributes: [String: Attribute]
  package var publicKey: String?
  package var authSecret: String?

  package init(_ device: Device) {
    id = device.id
    userID = device.userID
    userEmail = device.userEmail
    platform = device.platform
    locale = device.locale
    timeZone = device.timeZone
    appVersion = device.appVersion
    osVersion = device.osVersion
    badge = device.badge
    tags = device.tags
    attributes = device.attributes
    publicKey = device.publicKey
    authSecret = device.authSecret
  }
}

/// The names of a template's context: `custom.NAME`, `user_id`, `locale` and so on.
extension Recipient: LiquidObject {
  package func member(_ name: String) -> LiquidValue {
    switch name {
    case "custom": .object(CustomAttributes(attributes: attributes))
    case "device_id": .string(id)
    case "user_id": .optional(userID)
    case "user_email", "email": .optional(userEmail)
    case "platform": .string(platform)
    case "locale": .optional(locale)
    case "language": .optional(locale.map { String($0.prefix { $0 != "-" && $0 != "_" }) })
    case "time_zone": .optional(timeZone)
    case "app_version": .optional(appVersion)
    case "os_version": .optional(osVersion)
    case "badge": badge.map(LiquidValue.integer) ?? .null
    case "tags": .array(tags.map(LiquidValue.string))
    default: .null
    }
  }
}

private struct CustomAttributes: LiquidObject {
  let attributes: [String: Attribute]

  func member(_ name: String) -> LiquidValue {
    guard let attribute = attributes[name] else { return .null }
    return attribute.value.array.map { .array($0.map(LiquidValue.scalar)) }
      ?? .scalar(attribute.value)
  }
}
