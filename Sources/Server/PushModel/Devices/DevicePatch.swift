/// The changes of one update to a device.
package struct DevicePatch: Hashable, Sendable {
  /// The change of one property.
  package enum Edit<Value: Hashable & Sendable>: Hashable, Sendable {
    case keep
    case set(Value)

    func apply(to value: inout Value) { if case .set(let new) = self { value = new } }
  }

  package var userID: Edit<String?> = .keep
  package var userEmail: Edit<String?> = .keep
  package var token: Edit<String?> = .keep
  package var platform: Edit<String> = .keep
  package var isDevelopment: Edit<Bool> = .keep
  package var isPushEnabled: Edit<Bool> = .keep
  package var isPushQuiet: Edit<Bool> = .keep
  package var settings: Edit<DeviceSettings?> = .keep
  package var tags: Edit<[String]> = .keep
  /// The attributes to set by name; `nil` removes an attribute.
  package var attributes: [String: Attribute?] = [:]
  package var locale: Edit<String?> = .keep
  package var timeZone: Edit<String?> = .keep
  package var appVersion: Edit<String?> = .keep
  package var osVersion: Edit<String?> = .keep
  package var sdkVersion: Edit<String?> = .keep
  package var location: Edit<Location> = .keep
  package var publicKey: Edit<String?> = .keep
  package var authSecret: Edit<String?> = .keep
  package var badge: Edit<Int64?> = .keep
  /// Whether the token comes from a file, which says that the device had it once, and not that it has it now.
  package var isImported = false

  package init() {}
}

extension Device {
  /// The most attributes of a device; further new attributes are dropped.
  package static let attributeLimit = 50

  /// Applies an update, whose token, if it has one, registers the device again.
  package mutating func apply(_ patch: DevicePatch, at now: Timestamp) {
    patch.userID.apply(to: &userID)
    patch.userEmail.apply(to: &userEmail)
    patch.platform.apply(to: &platform)
    patch.isDevelopment.apply(to: &isDevelopment)
    patch.isPushEnabled.apply(to: &isPushEnabled)
    patch.isPushQuiet.apply(to: &isPushQuiet)
    apply(patch.settings, at: now)
    patch.tags.apply(to: &tags)
    patch.locale.apply(to: &locale)
    patch.timeZone.apply(to: &timeZone)
    patch.appVersion.apply(to: &appVersion)
    patch.osVersion.apply(to: &osVersion)
    patch.sdkVersion.apply(to: &sdkVersion)
    patch.location.apply(to: &location)
    patch.publicKey.apply(to: &publicKey)
    patch.authSecret.apply(to: &authSecret)
    patch.badge.apply(to: &badge)
    if case .set(let new) = patch.token, !patch.isImported || new != token {
      token = new
      tokenAt = new == nil || patch.isImported ? nil : now
      uninstalledAt = nil
    }
    merge(patch.attributes)
    updatedAt = now
  }

  /// Settings that are reported again keep the time of their first report, since which they have been the same.
  private mutating func apply(_ edit: DevicePatch.Edit<DeviceSettings?>, at now: Timestamp) {
    guard case .set(var new) = edit else { return }
    new?.reportedAt = settings?.reportedAt
    if new != settings { new?.reportedAt = now }
    settings = new
  }

  private mutating func merge(_ patch: [String: Attribute?]) {
    guard !patch.isEmpty else { return }
    for (name, attribute) in patch where attribute == nil { attributes[name] = nil }
    for (name, attribute) in patch.sorted(by: { $0.key < $1.key }) {
      guard let attribute else { continue }
      guard attributes[name] != nil || attributes.count < Self.attributeLimit else { continue }
      attributes[name] = attribute
    }
  }
}
