import PushPayload

/// Rules about the dictionary `Martlet`, which configures the engine in an Info.plist.
extension DoctorRule {
  static let martlet = [unknownKeys, wrongValues, appGroupNotClaimed]

  /// The values that each key accepts, as a description and as a check.
  ///
  /// The engine's `RichConfiguration(info:)` reads the keys; a test compares the two lists.
  private static let keys: [String: (takes: String, isGood: @Sendable (PropertyList) -> Bool)] = [
    "Deadline": ("seconds, 1 to 29", { $0.number.map((1...29).contains) ?? false }),
    "AllowsPlainHTTP": ("a Boolean", { $0.bool != nil }),
    "AllowsPrivateAddresses": ("a Boolean", { $0.bool != nil }),
    "AllowedHosts": ("a host or an array of hosts", { $0.string != nil || $0.strings != nil }),
    "LowDataMode": (
      "full, smaller or text", { ["full", "smaller", "text"].contains($0.string ?? "") }
    ),
    "MediaKeys": ("an array of paths", { $0.strings != nil }),
    "DisabledDialects": (
      "an array of dialects' names",
      { $0.strings.map { Set($0).isSubset(of: dialects) } ?? false }
    ),
    "RequiresEncryption": ("a Boolean", { $0.bool != nil }),
    "Placeholder": ("a text", { $0.string != nil }),
    "Log": ("a Boolean", { $0.bool != nil }),
    "AppGroup": ("an app group's id", { $0.string.map { !$0.isEmpty } ?? false }),
  ]

  private static let dialects = Set(DialectTable.standard.dialects.map(\.id.rawValue))

  package static let martletKeys = Set(keys.keys)

  /// Whether a key accepts a value.
  package static func martlet(_ key: String, takes value: PropertyList) -> Bool {
    keys[key]?.isGood(value) ?? false
  }

  private static let unknownKeys = DoctorRule(
    "martlet-unknown-key", .warning, summary: "The dictionary Martlet has an unknown key",
    why: "The key is misspelt or in the wrong dictionary, and has no effect.",
    fix: "The keys are \(keys.keys.sorted().joined(separator: ", "))."
  ) { inspection in
    (inspection.services + inspection.contentExtensions).flatMap { bundle in
      (bundle.info["Martlet"]?.dictionary ?? [:]).keys.sorted().filter { keys[$0] == nil }
        .map { Fault(bundle, "Martlet/\($0) is not known") }
    }
  }

  private static let wrongValues = DoctorRule(
    "martlet-value", .warning,
    summary: "A value in the dictionary Martlet has the wrong type or range",
    why:
      "The value is ignored; a wrong AllowedHosts allows no host, a wrong RequiresEncryption is true.",
    fix: "Use the type and range that the message names."
  ) { inspection in
    (inspection.services + inspection.contentExtensions).flatMap { bundle in
      guard let value = bundle.info["Martlet"] else { return [Fault]() }
      guard let members = value.dictionary else {
        return [Fault(bundle, "Martlet is \(value.typeName); it must be a dictionary")]
      }
      return members.sorted { $0.key < $1.key }.compactMap { name, value in
        guard let key = keys[name], !key.isGood(value) else { return nil }
        return Fault(bundle, "Martlet/\(name) takes \(key.takes)")
      }
    }
  }

  private static let appGroupNotClaimed = DoctorRule(
    "martlet-app-group", .error,
    summary: "Martlet/AppGroup is not among the extension's app groups",
    why:
      "The system provides no shared folder: receipts, the badge's number and local media are lost.",
    fix: "Add the App Groups capability with that group to the extension and to the app.",
    needs: [.signature]
  ) { inspection in
    (inspection.services + inspection.contentExtensions).compactMap { bundle in
      guard bundle.signature != nil, let group = bundle.info["Martlet"]?["AppGroup"]?.string,
        !bundle.appGroups.contains(group)
      else { return nil }
      return Fault(bundle, "its entitlements lack \"\(group)\"")
    }
  }
}
