/// Rules about the entitlements of the app and the extension.
extension DoctorRule {
  static let entitlements = [
    noPush, pushEnvironment, appGroups, appGroupNames, keychainGroups, filteringPlace,
  ]

  private static let noPush = DoctorRule(
    "aps-environment-missing", .error, summary: "The app cannot register for notifications",
    why: "Without aps-environment the system gives the app no device token.",
    fix: "Add the Push Notifications capability to the app target (not to the extension).",
    needs: [.app, .signature]
  ) { inspection in
    guard let app = inspection.app, app.signature != nil, environment(of: app) == nil
    else { return [] }
    return [Fault(app, "its entitlements have no aps-environment")]
  }

  /// The names of the entitlement on iOS and on the Mac.
  private static let environmentKeys = ["aps-environment", "com.apple.developer.aps-environment"]

  private static func environment(of app: InspectedBundle) -> String? {
    environmentKeys.lazy.compactMap { app.entitlement($0)?.string }.first
  }

  private static let pushEnvironment = DoctorRule(
    "aps-environment", .error, summary: "aps-environment differs from the profile's",
    why: "A device token belongs to one of APNs' two hosts; the other answers BadDeviceToken.",
    fix: "Leave development in the .entitlements file; exporting from the archive sets the value.",
    needs: [.app, .signature]
  ) { inspection in
    guard let app = inspection.app, let profile = app.grantedBy,
      let mine = environment(of: app)
    else { return [] }
    guard let granted = environmentKeys.lazy.compactMap({ profile.entitlements[$0]?.string }).first
    else {
      return [
        Fault(
          app, "the profile \"\(profile.name)\" grants none: its App ID lacks Push Notifications")
      ]
    }
    return mine == granted ? [] : [Fault(app, "it is \(mine), the profile's is \(granted)")]
  }

  private static let appGroups = DoctorRule(
    "app-groups", .error, summary: "App and extension share no app group",
    why:
      "Neither reads the files of the other: receipts, the badge's number and media are lost.",
    fix: "Select the same group in the App Groups capability of both targets.",
    needs: [.app, .signature]
  ) { inspection in
    guard let app = inspection.app, app.signature != nil else { return [] }
    return inspection.services.compactMap { bundle in
      guard bundle.signature != nil else { return nil }
      let (mine, apps) = (bundle.appGroups, app.appGroups)
      if mine.isEmpty, apps.isEmpty { return nil }
      guard Set(mine).isDisjoint(with: apps) else { return nil }
      return Fault(bundle, "it has \(listed(mine)), the app \(listed(apps))")
    }
  }

  private static func listed(_ values: [String]) -> String {
    values.isEmpty ? "none" : values.sorted().joined(separator: ", ")
  }

  private static let appGroupNames = DoctorRule(
    "app-group-name", .error, summary: "An app group's name lacks the prefix \"group.\"",
    why: "iOS provides no shared folder for it.",
    fix: "Name it group. and a reverse domain, such as group.com.example.app.",
    needs: [.signature, .device]
  ) { inspection in
    inspection.subjects.flatMap { bundle in
      bundle.appGroups.filter { !$0.hasPrefix("group.") || $0.utf8.count == 6 }
        .map { Fault(bundle, "\"\($0)\" does not begin with group.") }
    }
  }

  private static let keychainGroups = DoctorRule(
    "keychain-groups", .note, summary: "App and extension share no keychain group",
    why: "The extension cannot read keys that the app stores, such as those of encrypted payloads.",
    fix: "Add the same Keychain Sharing group to both, or store keys under the app group.",
    needs: [.app, .signature]
  ) { inspection in
    guard let app = inspection.app, app.signature != nil else { return [] }
    return inspection.services.compactMap { bundle in
      guard bundle.signature != nil else { return nil }
      let (mine, apps) = (keychain(bundle), keychain(app))
      // Every app group is also a keychain group.
      guard !(mine.isEmpty && apps.isEmpty), Set(mine).isDisjoint(with: apps),
        Set(bundle.appGroups).isDisjoint(with: app.appGroups)
      else { return nil }
      return Fault(bundle, "it has \(listed(mine)), the app \(listed(apps))")
    }
  }

  /// The keychain groups except the default one that each bundle has.
  private static func keychain(_ bundle: InspectedBundle) -> [String] {
    let own = bundle.entitlement("application-identifier")?.string
    return (bundle.entitlement("keychain-access-groups")?.strings ?? []).filter { $0 != own }
  }

  private static let filtering = "com.apple.developer.usernotifications.filtering"

  private static let filteringPlace = DoctorRule(
    "filtering-place", .warning,
    summary: "The app has the filtering entitlement and the extension has not",
    why: "The extension suppresses notifications, so it is the one that needs it.",
    fix: "Move \(filtering) to the extension's entitlements.", needs: [.app, .signature]
  ) { inspection in
    guard let app = inspection.app, app.entitlement(filtering)?.bool == true else { return [] }
    return inspection.services.filter { bundle in
      bundle.signature != nil && bundle.entitlement(filtering)?.bool != true
    }.map { Fault($0, "the app has it, this extension has not") }
  }
}
