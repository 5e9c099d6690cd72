// Rules for pushes that are no notification, and for notifications that leave the phone.

extension HostRule {
  static var destinationRules: [HostRule] {
    [
      .pushDestination, .liveActivity, .pushToStartBudget, .accessory, .activityLife,
      .activityToken,
      .activityOrder, .activityUpdateBudget, .reloadBudget,
    ]
  }

  /// Source: Apple, "Sending notification requests to APNs", the table of `apns-push-type` (read in 2026).
  package static let pushDestination = HostRule(
    73, "push-destination", evidence: .documented,
    summary:
      "Passes a push whose type is neither `alert` nor `background` to the part of the system that "
      + "the type is for, and shows no notification.",
    switches: ["enforcesPushType"])
  /// Source: Apple, "ActivityKit" and "ActivityKit updates", June 2024 and June 2025.
  package static let liveActivity = HostRule(
    74, "live-activity", evidence: .documented,
    summary:
      "Shows a Live Activity on the lock screen and in the Dynamic Island, in the Smart Stack of a "
      + "watch since iOS 18, and in CarPlay and the menu bar of a Mac since iOS 26.")
  /// Source: Apple's engineers in the developer forums, thread 799505, and logs of phones there and in
  /// EKKOLearnAI/hermes-studio 3111 (September 2026).
  package static let pushToStartBudget = HostRule(
    75, "push-to-start-budget", evidence: .observed,
    summary:
      "Starts no Live Activity by a push once the phone's budget is used up; APNs has accepted the "
      + "push, and nobody is told.",
    switches: ["pushToStartBudget", "pushToStartWindow"])
  /// Source: Apple, "Accessory Notifications" (iOS 26.5).
  package static let accessory = HostRule(
    76, "accessory", evidence: .documented,
    summary:
      "Forwards a notification that is shown to an accessory, if the person allows it for the app "
      + "(iOS 26.5, iPhone, European Union).")
  /// Source: Apple, "Displaying live data with Live Activities".
  package static let activityLife = HostRule(
    77, "activity-life", evidence: .documented,
    summary:
      "Ends a Live Activity after eight hours, and keeps one that has ended on the lock screen for "
      + "up to four hours, or until an earlier `dismissal-date`.")
  /// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
  package static let activityToken = HostRule(
    78, "activity-token", evidence: .documented,
    summary: "Ignores an update or end that arrives after its Live Activity has ended.")
  /// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
  package static let activityOrder = HostRule(
    79, "activity-order", evidence: .documented,
    summary:
      "Ignores an update or end whose `timestamp` is older than that of the activity's last push.")
  /// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
  package static let activityUpdateBudget = HostRule(
    80, "activity-update-budget", evidence: .documented,
    summary:
      "Ignores updates and ends with priority 10 once the hour's budget is used up; APNs has "
      + "accepted them, and nobody is told.",
    switches: ["activityUpdateBudget"])
  /// Source: Apple, "Updating widgets with WidgetKit push notifications".
  package static let reloadBudget = HostRule(
    81, "reload-budget", evidence: .documented,
    summary:
      "Reloads no widgets or controls by a push once the day's budget for them is used up; APNs has "
      + "accepted the push, and nobody is told.",
    switches: ["reloadBudget"])
}
