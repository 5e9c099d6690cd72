/// What the person sees, from what the extension came to: the table of `docs/ios-model.md`.
struct OutcomeTable {
  /// What came of the extension.
  enum Reply: Hashable, Sendable {
    /// It did not run; why.
    case notAsked(String)
    /// It gave content, with text or without.
    case content(hasText: Bool)
    /// It gave none, in words.
    case none(String)
  }

  /// Whose content applies.
  enum Source: Hashable, Sendable {
    case original
    case reply
    /// The reply's badge and sound, and nothing that is seen.
    case quietReply
    case nothing
  }

  var outcome: DeliveryReport.Outcome
  var rule: HostRule
  var reason: String
  var source: Source

  init(_ reply: Reply, filters: Bool, behavior: HostBehavior) {
    switch reply {
    case .notAsked(let reason):
      (outcome, rule, source) = (.displayed, .alertShown, .original)
      self.reason = reason
    case .content(hasText: true):
      (outcome, rule, source) = (.displayed, .replyWithText, .reply)
      reason = "the extension's content is shown"
    case .content(hasText: false) where filters:
      (outcome, rule, source) = (.suppressed, .replyWithoutTextFiltered, .quietReply)
      reason = "the extension's content has no text, so nothing is shown"
    case .content(hasText: false):
      (outcome, rule, source) = (.displayedOriginal, .replyWithoutText, .original)
      reason = "the extension's content has no text, so the original is shown"
    case .none(let what) where filters && behavior.suppressesWithoutReply:
      (outcome, rule, source) = (.suppressed, .noReplyFiltered, .nothing)
      reason = what + ", so nothing is shown"
    case .none(let what):
      (outcome, rule, source) = (.displayedOriginal, .noReply, .original)
      reason = what + ", so the original is shown"
    }
  }

  /// What keeps content from showing whoever made it.
  mutating func restrict(
    hasText: Bool, isBackground: Bool, showsAlerts: Bool
  ) {
    guard outcome != .suppressed else { return }
    if !hasText {
      (outcome, rule, reason) = (.notDisplayed, .noAlert, "there is no text to show")
    } else if isBackground {
      (outcome, rule, reason) = (.notDisplayed, .backgroundPush, "apns-push-type is background")
    } else if !showsAlerts {
      (outcome, rule, reason) = (
        .notDisplayed, .alertsOff, "alerts are off in the app's settings"
      )
    }
  }
}
