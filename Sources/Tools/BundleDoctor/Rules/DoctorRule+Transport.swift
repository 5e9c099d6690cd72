import PushPayload

/// Rules about App Transport Security and background modes.
extension DoctorRule {
  static let transport = [appOnly, arbitraryLoads, plainHTTP, remoteNotification]

  private static let appOnly = DoctorRule(
    "ats-app-only", .warning, summary: "The app allows plain HTTP and the extension does not",
    why: "The extension's own Info.plist applies to its requests: media over http: fail.",
    fix: "Serve media over https:, or repeat NSAppTransportSecurity in the extension's Info.plist.",
    needs: [.app]
  ) { inspection in
    guard let app = inspection.app, allowsHTTP(app) else { return [] }
    return inspection.services.filter { !allowsHTTP($0) }.map {
      Fault($0, "its Info.plist lacks the exception that the app's has")
    }
  }

  private static let arbitraryLoads = DoctorRule(
    "ats-arbitrary-loads", .warning, summary: "The extension allows plain HTTP from every host",
    why:
      "Anyone on the phone's network can replace the picture, and the App Store asks for a reason.",
    fix: "Serve media over https:, or name the hosts in NSExceptionDomains."
  ) { inspection in
    inspection.services.compactMap { bundle in
      guard allowsAll(security(bundle)) else { return nil }
      return Fault(bundle, "NSAllowsArbitraryLoads is true")
    }
  }

  private static let plainHTTP = DoctorRule(
    "plain-http", .warning,
    summary: "Martlet allows plain HTTP, but App Transport Security forbids it",
    why:
      "The engine's permission, Martlet/AllowsPlainHTTP, needs the system's too.",
    fix: "Name the hosts in NSExceptionDomains of the extension's Info.plist, or remove the key."
  ) { inspection in
    inspection.services.compactMap { bundle in
      guard bundle.info["Martlet"]?["AllowsPlainHTTP"]?.bool == true, !allowsHTTP(bundle),
        security(bundle)["NSAllowsLocalNetworking"]?.bool != true
      else { return nil }
      return Fault(bundle, "AllowsPlainHTTP is true, but there is no exception")
    }
  }

  private static let remoteNotification = DoctorRule(
    "remote-notification", .note,
    summary: "The app does not run in the background for notifications",
    why: "Notifications with content-available do not wake it; the extension does not need it.",
    fix: "Add Remote notifications to the app's Background Modes if you send such notifications.",
    needs: [.app, .device]
  ) { inspection in
    guard let app = inspection.app, case .success = app.infoPlist,
      app.info["UIBackgroundModes"]?.strings?.contains("remote-notification") != true
    else { return [] }
    return [Fault(app, "UIBackgroundModes has no remote-notification")]
  }

  private static func security(_ bundle: InspectedBundle) -> [String: PropertyList] {
    bundle.info["NSAppTransportSecurity"]?.dictionary ?? [:]
  }

  private static func allowsAll(_ security: [String: PropertyList]) -> Bool {
    ArbitraryLoads.areAllowed(by: security) { $0.bool == true }
  }

  private static func allowsHTTP(_ bundle: InspectedBundle) -> Bool {
    let security = security(bundle)
    let domains = (security["NSExceptionDomains"]?.dictionary ?? [:]).values
    return allowsAll(security)
      || domains.contains { domain in
        ["NSExceptionAllowsInsecureHTTPLoads", "NSTemporaryExceptionAllowsInsecureHTTPLoads"]
          .contains { domain[$0]?.bool == true }
      }
  }
}
