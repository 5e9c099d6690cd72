package import PushPayload

/// The properties of a device that a payload may depend on.
package struct Recipient: Hashable, Sendable {
  package var number: UInt32
  package var id: String
  package var platform: String
  package var userID: String?
  package var userEmail: String?
  package var locale: String?
  package var timeZone: String?
  package var appVersion: String?
  package var osVersion: String?
  package var badge: Int64?
  package var tags: [String] = []
  package var attributes: [String: Attribute] = [:]
  package var publicKey: String?
  package var authSecret: String?
  /// The data of the event that enrolled the person, if the send is of a triggered campaign.
  package var event: JSONValue?

  package init(number: UInt32, id: String, platform: String) {
    self.number = number
    self.id = id
    self.platform = platform
  }

  package init(_ device: Device) {
    self.init(number: device.number, id: device.id, platform: device.platform)
    userID = device.userID
    userEmail = device.userEmail
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
