/// What an extension is for, as far as its Info.plist tells.
enum ExtensionPurpose: Sendable {
  case service
  /// It was meant to be a service extension, or says nothing of what it is.
  case unclear
  /// It is of another kind, to which the rules do not apply.
  case other
}

extension InspectedBundle {
  var purpose: ExtensionPurpose {
    if point == Inspection.servicePoint { return .service }
    guard let point, !point.isEmpty else {
      return extensionKitPoint == nil ? .unclear : .other
    }
    if Inspection.otherPoints.contains(point) { return .other }
    let names = name + (principalClass ?? "")
    let isMeant =
      point.lowercased().contains("notification") || info["Martlet"] != nil
      || names.contains("NotificationService") || Self.isNear(point, Inspection.servicePoint)
    return isMeant ? .unclear : .other
  }

  /// Whether at most three letters must be inserted, removed or replaced to turn one text into the
  /// other, in any case of letters.
  private static func isNear(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.lowercased().utf8), Array(other.lowercased().utf8))
    guard abs(one.count - other.count) <= 3 else { return false }
    var row = Array(0...other.count)
    for (index, byte) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in other.indices {
        let replaced = diagonal + (byte == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[other.count] <= 3
  }
}

extension Inspection {
  static let servicePoint = "com.apple.usernotifications.service"

  /// Extension points of other kinds; one that Apple adds later is told from a misspelled service
  /// point by its letters.
  ///
  /// Source: Apple's reference of `NSExtensionPointIdentifier`, and Xcode's templates of targets.
  static let otherPoints: Set = [
    "com.apple.usernotifications.content-extension", "com.apple.share-services",
    "com.apple.ui-services", "com.apple.widgetkit-extension", "com.apple.widget-extension",
    "com.apple.intents-service", "com.apple.intents-ui-service", "com.apple.keyboard-service",
    "com.apple.photo-editing", "com.apple.photo-project", "com.apple.photos.background-upload",
    "com.apple.fileprovider-ui", "com.apple.fileprovider-nonui", "com.apple.fileprovider-actionsui",
    "com.apple.message-payload-provider", "com.apple.broadcast-services-upload",
    "com.apple.broadcast-services-setupui", "com.apple.Safari.content-blocker",
    "com.apple.Safari.extension", "com.apple.Safari.web-extension",
    "com.apple.callkit.call-directory", "com.apple.identitylookup.message-filter",
    "com.apple.identitylookup.classification-ui",
    "com.apple.authentication-services-credential-provider-ui",
    "com.apple.authentication-services-account-authentication-modification-ui",
    "com.apple.AppSSO.idp-extension", "com.apple.quicklook.preview",
    "com.apple.quicklook.thumbnail", "com.apple.spotlight.index", "com.apple.spotlight.import",
    "com.apple.networkextension.packet-tunnel", "com.apple.networkextension.app-proxy",
    "com.apple.networkextension.filter-data", "com.apple.networkextension.filter-control",
    "com.apple.networkextension.dns-proxy", "com.apple.networkextension.app-push",
    "com.apple.location.push.service", "com.apple.classkit.context-provider",
    "com.apple.AudioUnit-UI", "com.apple.AudioUnit", "com.apple.FinderSync",
    "com.apple.email.extension", "com.apple.PassKit.issuer-provisioning",
    "com.apple.PassKit.issuer-provisioning.authorization",
    "com.apple.matter.support.extension.device-setup",
    "com.apple.deviceactivity.monitor-extension", "com.apple.ManagedSettings.shield-action-service",
    "com.apple.ManagedSettingsUI.shield-configuration-service", "com.apple.ctk-tokens",
    "com.apple.dt.Xcode.extension.source-editor", "com.apple.watchkit", "com.apple.tv-top-shelf",
  ]
}
