// Rules for the outcome of a push, as the person sees it.

extension HostRule {
  static var outcomeRules: [HostRule] {
    [
      .replyWithText, .replyWithoutText, .replyWithoutTextFiltered, .noReply, .noReplyFiltered,
      .filteringPushType, .alertShown, .noAlert, .alertsOff, .backgroundPush, .backgroundWake,
      .userInfoReplaced,
    ]
  }

  package static let replyWithText = HostRule(
    34, "reply-with-text", evidence: .documented,
    summary: "Shows the extension's content if it has a title, subtitle or body.")
  package static let replyWithoutText = HostRule(
    35, "reply-without-text", evidence: .documented,
    summary: "Shows the original content if the extension's content has no text.")
  package static let replyWithoutTextFiltered = HostRule(
    36, "reply-without-text-filtered", evidence: .documented,
    summary:
      "With the filtering entitlement, shows nothing if the extension's content has no "
      + "text; its badge and sound take effect.")
  package static let noReply = HostRule(
    37, "no-reply", evidence: .documented,
    summary:
      "Shows the original content if there is no reply, because the extension did not "
      + "call the handler, exceeded its time limit, crashed, was killed or did not start.")
  package static let noReplyFiltered = HostRule(
    38, "no-reply-filtered", evidence: .reverseEngineered,
    summary: "With the filtering entitlement, shows nothing if there is no reply.",
    switches: ["suppressesWithoutReply"])
  package static let filteringPushType = HostRule(
    39, "filtering-push-type", evidence: .reverseEngineered,
    summary: "Applies the filtering entitlement only to pushes of type `alert`.")
  package static let alertShown = HostRule(
    40, "alert-shown", evidence: .documented,
    summary: "Shows a push with a title, subtitle or body unchanged if no extension runs.")
  package static let noAlert = HostRule(
    41, "no-alert", evidence: .documented,
    summary:
      "Shows nothing of a push without title, subtitle and body; its badge and sound "
      + "take effect.")
  package static let alertsOff = HostRule(
    42, "alerts-off", evidence: .documented,
    summary: "Shows nothing if alerts are not allowed anywhere.")
  package static let backgroundPush = HostRule(
    43, "background-push", evidence: .reverseEngineered,
    summary: "Shows nothing of a push of type `background`, whatever its payload.",
    switches: ["enforcesPushType"])
  package static let backgroundWake = HostRule(
    44, "background-wake", evidence: .documented,
    summary:
      "Also wakes the app for `content-available`, if it has the background mode and "
      + "Background App Refresh is on.")
  package static let userInfoReplaced = HostRule(
    45, "user-info-replaced", evidence: .documented,
    summary:
      "Replaces `userInfo` with the reply's; the request's identifier and trigger do "
      + "not change.")
}
