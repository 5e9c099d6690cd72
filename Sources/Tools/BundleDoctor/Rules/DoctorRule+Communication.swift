/// Rules about communication notifications, which show a sender in place of the app.
///
/// Source: Apple, "Implementing communication notifications".
extension DoctorRule {
  static let communication = [activityTypes, communicationPlace, communicationCapability]

  private static let entitlement = "com.apple.developer.usernotifications.communication"

  /// The intents of communication notifications; an app must list those that it uses.
  private static let intents = ["INSendMessageIntent", "INStartCallIntent"]

  private static func hasIntent(_ app: InspectedBundle) -> Bool {
    let types = app.info["NSUserActivityTypes"]?.strings ?? []
    return intents.contains { types.contains($0) }
  }

  private static let activityTypes = DoctorRule(
    "communication-activity-types", .warning,
    summary: "The app has Communication Notifications and names no intent for them",
    why:
      "iOS takes the sender from an intent that the app names, and shows the app's icon instead.",
    fix: "Add INSendMessageIntent, and INStartCallIntent for calls, to NSUserActivityTypes in the "
      + "app's Info.plist.",
    needs: [.app, .signature]
  ) { inspection in
    guard let app = inspection.app, app.entitlement(entitlement)?.bool == true, !hasIntent(app)
    else { return [] }
    return [Fault(app, "NSUserActivityTypes has neither \(intents.joined(separator: " nor "))")]
  }

  private static let communicationPlace = DoctorRule(
    "communication-place", .warning,
    summary: "The extension has the communication entitlement and the app has not",
    why: "The capability is one of the app, whose icon the sender's picture replaces.",
    fix: "Add Communication Notifications to the app target.", needs: [.app, .signature]
  ) { inspection in
    guard let app = inspection.app, app.signature != nil, app.entitlement(entitlement)?.bool != true
    else { return [] }
    return inspection.services.filter { $0.entitlement(entitlement)?.bool == true }
      .map { Fault($0, "it has \(entitlement), the app has not") }
  }

  private static let communicationCapability = DoctorRule(
    "communication-capability", .note,
    summary: "The app names intents of messages or calls, without Communication Notifications",
    why: "Siri uses the intents, but notifications show the app's icon in place of the sender.",
    fix: "Add Communication Notifications to the app target if its notifications have senders.",
    needs: [.app, .signature]
  ) { inspection in
    guard let app = inspection.app, app.signature != nil, hasIntent(app),
      app.entitlement(entitlement)?.bool != true,
      !inspection.services.contains(where: { $0.entitlement(entitlement)?.bool == true })
    else { return [] }
    return [Fault(app, "its entitlements have no \(entitlement)")]
  }
}
