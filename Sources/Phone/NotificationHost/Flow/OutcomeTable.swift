/// The outcome that follows from the extension's reply: the table of `docs/app/ios-model.md`.
struct OutcomeTable {
  /// The reply of the extension.
  enum Reply: Hashable, Sendable {
    /// The extension did not run, with the reason.
    case notRun(String)
    /// The extension passed content to the handler.
    case content(hasText: Bool)
    /// The extension passed no content to the handler, with a description.
    case none(String)
  }

  /// The content that takes effect.
  enum Source: Hashable, Sendable {
    case original
    case reply
    /// Only the badge and the sound of the reply are used.
    case replyBadgeAndSound
    case nothing
  }

  var outcome: DeliveryReport.Outcome
  var rule: HostRule
  var reason: String
  var source: Source

  init(_ reply: Reply, filters: Bool, behavior: HostBehavior) {
    switch reply {
    case .notRun(let reason):
      (outcome, rule, source) = (.displayed, .alertShown, .original)
      self.reason = reason
    case .content(hasText: true):
      (outcome, rule, source) = (.displayed, .replyWithText, .reply)
      reason = "the extension's content is shown"
    case .content(hasText: false) where filters:
      (outcome, rule, source) = (.suppressed, .replyWithoutTextFiltered, .replyBadgeAndSound)
      reason = "the extension's content has no text, so nothing is shown"
    case .content(hasText: false):
      (outcome, rule, source) = (.displayedOriginal, .replyWithoutText, .original)
      reason = "the extension's content has no text, so the original is shown"
    case .none(let description) where filters && behavior.suppressesWithoutReply:
      (outcome, rule, source) = (.suppressed, .noReplyFiltered, .nothing)
      reason = description + ", so nothing is shown"
    case .none(let description):
      (outcome, rule, source) = (.displayedOriginal, .noReply, .original)
      reason = description + ", so the original is shown"
    }
  }

  /// Applies the rules that keep any content from being shown.
  mutating func restrict(
    hasText: Bool, isBackground: Bool, showsAlerts: Bool
  ) {
    guard outcome != .suppressed else { return }
    if !hasText {
      (outcome, rule, reason) = (.notDisplayed, .noAlert, "there is no title, subtitle or body")
    } else if isBackground {
      (outcome, rule, reason) = (.notDisplayed, .backgroundPush, "apns-push-type is background")
    } else if !showsAlerts {
      (outcome, rule, reason) = (
        .notDisplayed, .alertsOff, "alerts are off in the app's settings"
      )
    }
  }
}
