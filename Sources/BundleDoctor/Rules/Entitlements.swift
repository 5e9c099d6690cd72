/// What app and extension claim, and whether the two fit together.
extension DoctorRule {
  static let entitlements = [
    noPush, pushEnvironment, appGroups, appGroupNames, keychainGroups, filteringPlace,
  ]

  private static let noPush = DoctorRule(
    "aps-environment-missing", .error, "The app cannot register for notifications",
    why: "Without aps-environment the system gives the app no device token.",
    fix: "Add the Push Notifications capability to the app target (not to the extension).",
    needs: [.app, .signature]
  ) { inspection in
    guard let app = inspection.app, app.signature != nil,
      app.entitlement("aps-environment")?.string == nil
    else { return [] }
    return [Fault(app, "its entitlements have no aps-environment")]
  }

  private static let pushEnvironment = DoctorRule(
    "aps-environment", .error, "aps-environment is not the one of the profile",
    why: "Tokens are of one of APNs' two hosts; those of the other are refused as BadDeviceToken.",
    fix: "Leave development in the .entitlements file, and export from the archive: that sets it.",
    needs: [.app, .signature]
  ) { inspection in
    guard let app = inspection.app, let profile = app.grantedBy,
      let mine = app.entitlement("aps-environment")?.string
    else { return [] }
    guard let granted = profile.entitlements["aps-environment"]?.string else {
      return [Fault(app, "the profile \"\(profile.name)\" grants none: its App ID has no push")]
    }
    return mine == granted ? [] : [Fault(app, "it is \(mine), the profile's is \(granted)")]
  }

  private static let appGroups = DoctorRule(
    "app-groups", .error, "App and extension share no app group",
    why:
      "Each writes where the other does not read: receipts, the badge's number and media are lost.",
    fix: "Tick the same group in App Groups of both targets.", needs: [.app, .signature]
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
    "app-group-name", .error, "An app group's name lacks the beginning that iOS wants",
    why: "iOS gives no folder for it.",
    fix: "Name it group. and a reverse domain, such as group.com.example.app.",
    needs: [.signature]
  ) { inspection in
    inspection.subjects.flatMap { bundle in
      bundle.appGroups.filter { !$0.hasPrefix("group.") || $0.utf8.count == 6 }
        .map { Fault(bundle, "\"\($0)\" does not begin with group.") }
    }
  }

  private static let keychainGroups = DoctorRule(
    "keychain-groups", .note, "App and extension share no keychain group",
    why: "The extension cannot read keys that the app stored, such as those of encrypted payloads.",
    fix: "Add one Keychain Sharing group to both, or store keys under the app group.",
    needs: [.app, .signature]
  ) { inspection in
    guard let app = inspection.app, app.signature != nil else { return [] }
    return inspection.services.compactMap { bundle in
      guard bundle.signature != nil else { return nil }
      let (mine, apps) = (keychain(bundle), keychain(app))
      // Every app group is a keychain group as well.
      guard !(mine.isEmpty && apps.isEmpty), Set(mine).isDisjoint(with: apps),
        Set(bundle.appGroups).isDisjoint(with: app.appGroups)
      else { return nil }
      return Fault(bundle, "it has \(listed(mine)), the app \(listed(apps))")
    }
  }

  /// Without the group that is the bundle's own.
  private static func keychain(_ bundle: InspectedBundle) -> [String] {
    let own = bundle.entitlement("application-identifier")?.string
    return (bundle.entitlement("keychain-access-groups")?.strings ?? []).filter { $0 != own }
  }

  private static let filtering = "com.apple.developer.usernotifications.filtering"

  private static let filteringPlace = DoctorRule(
    "filtering-place", .warning, "The filtering entitlement is the app's and not the extension's",
    why: "The extension decides what is shown, so it is the one that must have it.",
    fix: "Move \(filtering) to the extension's entitlements.", needs: [.app, .signature]
  ) { inspection in
    guard let app = inspection.app, app.entitlement(filtering)?.bool == true else { return [] }
    return inspection.services.filter { bundle in
      bundle.signature != nil && bundle.entitlement(filtering)?.bool != true
    }.map { Fault($0, "it has it not, the app has") }
  }
}
