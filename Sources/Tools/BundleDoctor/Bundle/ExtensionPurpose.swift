import PushPayload

/// The purpose of an extension, according to its Info.plist.
enum ExtensionPurpose: Sendable {
  case service
  /// It was meant to be a service extension, or does not say what it is.
  case unclear
  /// It is an extension of another kind, to which the rules do not apply.
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
      || names.contains("NotificationService")
      || NearestName.isNear(point, Inspection.servicePoint, within: 3)
    return isMeant ? .unclear : .other
  }
}

extension Inspection {
  static let servicePoint = "com.apple.usernotifications.service"
  static let contentPoint = "com.apple.usernotifications.content-extension"

  /// Extension points of other kinds.
  ///
  /// One that Apple adds later is distinguished from a misspelled service point by its letters.
  ///
  /// Source: Apple's reference of `NSExtensionPointIdentifier`, and Xcode's target templates.
  static let otherPoints: Set = [
    contentPoint, "com.apple.share-services",
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
