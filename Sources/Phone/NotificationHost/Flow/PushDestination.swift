import PushPayload

/// The part of the system to which a push goes whose type is neither `alert` nor `background`.
///
/// Source: Apple, "Sending notification requests to APNs", the table of `apns-push-type` (read in 2026).
enum PushDestination: Hashable {
  /// ActivityKit.
  case liveActivity
  /// WidgetKit, which reloads the app's widgets or controls.
  case reload(String)
  /// Another framework; it says what it does, and whether it wakes the app.
  case framework(String, wakesApp: Bool)

  /// Finds the destination of a push type; `nil` for notifications, and for types that are not known.
  init?(_ pushType: String?) {
    switch pushType.map(PushType.init) {
    case .liveActivity: self = .liveActivity
    case .widgets: self = .reload("widgets")
    case .controls: self = .reload("controls")
    case .complication: self = .framework("updates a complication of a watch", wakesApp: false)
    case .fileProvider:
      self = .framework("tells the File Provider extension what changed", wakesApp: false)
    case .location:
      self = .framework("runs the location push service extension", wakesApp: false)
    case .mdm: self = .framework("has the device contact its MDM server", wakesApp: false)
    case .pushToTalk: self = .framework("goes to the Push to Talk framework", wakesApp: true)
    case .voip: self = .framework("goes to PushKit, which announces a call", wakesApp: true)
    default: return nil
    }
  }
}

extension VirtualPhone {
  /// Delivers a push that is no notification.
  func report(_ trace: PushTrace, to destination: PushDestination) -> DeliveryReport {
    switch destination {
    case .liveActivity: return reportActivity(trace)
    case .reload(let kind):
      guard trace.message.payload["aps"]?["content-changed"] == true else {
        return trace.report(
          .dropped, by: .pushDestination,
          reason: "aps.content-changed is not true, so no \(kind) are reloaded")
      }
      guard reload(kind) else {
        return trace.report(
          .dropped, by: .reloadBudget, reason: "the day's budget of reloads of \(kind) is used up")
      }
      return trace.report(
        .notDisplayed, by: .pushDestination, reason: "the push reloads the app's \(kind)")
    case .framework(let does, let wakesApp):
      var report = trace.report(.notDisplayed, by: .pushDestination, reason: "the push \(does)")
      report.wakesApp = wakesApp
      return report
    }
  }

  /// Delivers a push of a Live Activity.
  private func reportActivity(_ trace: PushTrace) -> DeliveryReport {
    let aps = APNsPayload(trace.message.payload).aps
    guard let activity = aps.liveActivity else {
      return trace.report(.dropped, by: .liveActivity, reason: "aps.event is missing")
    }
    if let problem = activity.problem(hasAlert: aps.alert != nil, isBroadcast: false) {
      return trace.report(.dropped, by: .liveActivity, reason: problem)
    }
    let (token, rule) = receive(activity, of: trace.message)
    if let rule {
      return trace.report(.dropped, by: rule, reason: Self.reason(for: rule))
    }
    let shown = ShownActivity(activity, token: token)
    let places = shown.places.map(\.rawValue).joined(separator: ", ")
    var report = trace.report(
      .notDisplayed, by: .liveActivity,
      reason: "the push \(activity.event)s a Live Activity (\(places)), and is no notification")
    report.activity = shown
    return report
  }

  private static func reason(for rule: HostRule) -> String {
    switch rule {
    case .pushToStartBudget: "the phone's budget of push-to-start is used up"
    case .activityToken: "the Live Activity with this token has ended"
    case .activityOrder: "the Live Activity has had a push with a later timestamp"
    default: "the phone's budget of updates with priority 10 is used up"
    }
  }
}
