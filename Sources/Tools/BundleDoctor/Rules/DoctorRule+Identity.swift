/// Rules about the Info.plist: bundle ids, versions and package types.
extension DoctorRule {
  static let identity = [
    unreadableInfo, unresolvedVariable, packageType, prefix, duplicate, versions,
  ]

  private static let unreadableInfo = DoctorRule(
    "info-plist", .error, summary: "An Info.plist cannot be read or lacks the bundle id",
    why: "The system installs nothing whose Info.plist it cannot read.",
    fix: "Set INFOPLIST_FILE, or GENERATE_INFOPLIST_FILE, and run plutil -lint on the file."
  ) { inspection in
    inspection.subjects.compactMap { bundle in
      switch bundle.infoPlist {
      case .failure(let error): Fault(bundle, error.message)
      case .success where bundle.bundleID?.isEmpty ?? true:
        Fault(bundle, "it has no CFBundleIdentifier")
      case .success: nil
      }
    }
  }

  private static let unresolvedVariable = DoctorRule(
    "unresolved-variable", .error,
    summary: "An Info.plist has a build variable that was not replaced",
    why: "The system uses the text itself, such as $(PRODUCT_NAME), as the value.",
    fix:
      "Build with Xcode, which replaces variables; a script that copies Info.plist must do so too."
  ) { inspection in
    inspection.subjects.flatMap { bundle in
      variables(in: .dictionary(bundle.info), at: "").map {
        Fault(bundle, "\($0) has a variable that was not replaced")
      }
    }
  }

  private static func variables(in value: PropertyList, at path: String) -> [String] {
    switch value {
    case .string(let text) where text.contains("$("): [path]
    case .dictionary(let members):
      members.sorted { $0.key < $1.key }.flatMap {
        variables(in: $0.value, at: path.isEmpty ? $0.key : path + "/" + $0.key)
      }
    case .array(let values): values.flatMap { variables(in: $0, at: path) }
    default: []
    }
  }

  private static let packageType = DoctorRule(
    "package-type", .error, summary: "CFBundlePackageType is wrong",
    why: "An app is APPL and an extension XPC!; with another the installer refuses the app.",
    fix: "Set CFBundlePackageType to $(PRODUCT_BUNDLE_PACKAGE_TYPE)."
  ) { inspection in
    inspection.subjects.compactMap { bundle in
      let wanted = bundle.path == inspection.app?.path ? "APPL" : "XPC!"
      let type = bundle.info["CFBundlePackageType"]?.string
      guard case .success = bundle.infoPlist, type != wanted else { return nil }
      return Fault(bundle, "CFBundlePackageType is \(quoted(type)), not \"\(wanted)\"")
    }
  }

  private static let prefix = DoctorRule(
    "bundle-id-prefix", .error,
    summary: "The extension's bundle id does not begin with the app's and a dot",
    why: "The installer and the App Store refuse an app with such an extension.",
    fix: "Give the extension a bundle id such as APP.NotificationService.", needs: [.app]
  ) { inspection in
    guard let app = inspection.app?.bundleID else { return [] }
    return inspection.extensions.compactMap { bundle in
      guard let id = bundle.bundleID, id != app, !isBelow(id, app) else { return nil }
      return Fault(bundle, "\"\(id)\" does not begin with \"\(app).\"")
    }
  }

  private static func isBelow(_ id: String, _ app: String) -> Bool {
    id.hasPrefix(app + ".") && id.utf8.count > app.utf8.count + 1
  }

  private static let duplicate = DoctorRule(
    "bundle-id-duplicate", .error, summary: "Two bundles have the same bundle id",
    why: "The App Store refuses them (ITMS-90685), and a phone does not install them.",
    fix: "Give each target a PRODUCT_BUNDLE_IDENTIFIER of its own."
  ) { inspection in
    var seen: [String: String] = [:]
    let bundles = (inspection.app.map { [$0] } ?? []) + inspection.extensions
    return bundles.compactMap { bundle in
      guard let id = bundle.bundleID else { return nil }
      guard let other = seen.updateValue(bundle.name, forKey: id) else { return nil }
      return Fault(bundle, "\(other) has \"\(id)\" too")
    }
  }

  private static let versions = DoctorRule(
    "version-mismatch", .warning, summary: "The extension's version differs from the app's",
    why: "App Store Connect warns of it (ITMS-90473), and crash reports name the wrong build.",
    fix: "Set MARKETING_VERSION and CURRENT_PROJECT_VERSION for the project, not for a target.",
    needs: [.app]
  ) { inspection in
    guard let app = inspection.app else { return [] }
    return inspection.extensions.flatMap { bundle in
      ["CFBundleShortVersionString", "CFBundleVersion"].compactMap { key in
        let (mine, apps) = (bundle.info[key]?.string, app.info[key]?.string)
        guard mine != apps else { return nil }
        return Fault(bundle, "\(key) is \(quoted(mine)), the app's is \(quoted(apps))")
      }
    }
  }

  static func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "absent" }
}
