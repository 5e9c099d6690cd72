// What the person sees.

extension HostRule {
  static var outcomeRules: [HostRule] {
    [
      .replyWithText, .replyWithoutText, .replyWithoutTextFiltered, .noReply, .noReplyFiltered,
      .filteringPushType, .alertShown, .noAlert, .alertsOff, .backgroundPush, .backgroundWake,
      .userInfoReplaced,
    ]
  }

  package static let replyWithText = HostRule(
    34, "reply-with-text", .documented,
    "Shows the extension's content where it has a title, subtitle or body.")
  package static let replyWithoutText = HostRule(
    35, "reply-without-text", .documented,
    "Shows the original where the extension's content has no text.")
  package static let replyWithoutTextFiltered = HostRule(
    36, "reply-without-text-filtered", .documented,
    "With the filtering entitlement shows nothing then; badge and sound of the content still "
      + "apply.")
  package static let noReply = HostRule(
    37, "no-reply", .documented,
    "Shows the original where there was no reply: not called, out of time, crashed, killed, "
      + "not started.")
  package static let noReplyFiltered = HostRule(
    38, "no-reply-filtered", .reverseEngineered,
    "With the filtering entitlement shows nothing then.", switches: ["suppressesWithoutReply"])
  package static let filteringPushType = HostRule(
    39, "filtering-push-type", .reverseEngineered,
    "Counts the filtering entitlement only for a message of push type `alert`.")
  package static let alertShown = HostRule(
    40, "alert-shown", .documented,
    "Shows a message with a title, subtitle or body as it is where no extension runs.")
  package static let noAlert = HostRule(
    41, "no-alert", .documented,
    "Shows nothing of a message without title, subtitle and body; badge and sound apply.")
  package static let alertsOff = HostRule(
    42, "alerts-off", .documented,
    "Shows nothing where the person does not allow alerts anywhere.")
  package static let backgroundPush = HostRule(
    43, "background-push", .reverseEngineered,
    "Shows nothing of a message sent as `background`, whatever it carries.",
    switches: ["enforcesPushType"])
  package static let backgroundWake = HostRule(
    44, "background-wake", .documented,
    "Also wakes the app for `content-available`, where it has the background mode and "
      + "Background App Refresh is on.")
  package static let userInfoReplaced = HostRule(
    45, "user-info-replaced", .documented,
    "Replaces `userInfo` by the reply's; identifier and trigger of the request stay.")
}
