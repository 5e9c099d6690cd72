import NotificationHost
import RichNotifications

/// What a person sees of a push, and the rules of docs/app/ios-model.md that decide it.
struct Expected: Equatable, Sendable {
  var outcome: DeliveryReport.Outcome
  /// The rule that decides the outcome.
  var rule: HostRule
  var title: String
  var body: String
  var badge: Int?
  /// The types of the attachments.
  var attachments: [String] = []
  /// Whether `serviceExtensionTimeWillExpire` is called.
  var expired = false
  /// The rules by which the system refuses attachments after the reply, and that end the process, in order.
  var rules: [HostRule] = []

  /// The extension's content, by rule 34.
  static func shown(
    title: String = "Hello [modified]", body: String = "Original text", badge: Int? = nil,
    _ attachments: [String] = [], expired: Bool = false, refusedBy rules: HostRule...
  ) -> Expected {
    Expected(
      outcome: .displayed, rule: .replyWithText, title: title, body: body, badge: badge,
      attachments: attachments, expired: expired, rules: rules)
  }

  /// The extension's content with the picture.
  static func picture(body: String = "Original text", expired: Bool = false) -> Expected {
    shown(body: body, ["public.png"], expired: expired)
  }

  /// The extension's content without an attachment, which the extension did not make or the system refused to create.
  static let text = shown()
  /// The extension's content without its attachment: a page in HTML, which is no image.
  static let refusedPage = shown(refusedBy: .attachmentContent)
  /// The extension's content without an attachment, after the warning.
  static let textAtExpiry = shown(expired: true)

  /// The payload's content, by rule 37, because the process ended.
  static func original(endedBy rule: HostRule) -> Expected { original(.noReply, rules: [rule]) }
  /// The payload's content, by rules 28 and 37.
  static let originalAtLimit = original(.noReply, expired: true)
  /// The payload's content, by rule 35.
  static let originalWithoutText = original(.replyWithoutText)

  private static func original(
    _ rule: HostRule, expired: Bool = false, rules: [HostRule] = []
  ) -> Expected {
    Expected(
      outcome: .displayedOriginal, rule: rule, title: "Hello", body: "Original text",
      expired: expired, rules: rules)
  }

  /// What a report says.
  init(_ report: DeliveryReport) {
    outcome = report.outcome
    rule = report.rule ?? .noReply
    title = report.content?.title ?? ""
    body = report.content?.body ?? ""
    badge = report.content?.badge
    attachments = report.attachments.map(\.type)
    expired = report.run.expired
    rules = report.trace.compactMap { event in
      Self.namedRules.first { $0.name == event.rule }
    }
  }

  private init(
    outcome: DeliveryReport.Outcome, rule: HostRule, title: String, body: String,
    badge: Int? = nil, attachments: [String] = [], expired: Bool, rules: [HostRule]
  ) {
    (self.outcome, self.rule, self.title, self.body) = (outcome, rule, title, body)
    (self.badge, self.attachments, self.expired, self.rules) = (badge, attachments, expired, rules)
  }

  private static let namedRules: [HostRule] = [
    .attachmentReadable, .attachmentPlace, .attachmentType, .attachmentSize, .attachmentSameFile,
    .attachmentStore, .attachmentStorage, .attachmentContent,
    .failedStart, .exited, .crashed, .memoryLimit,
  ]
}

extension Expected: CustomStringConvertible {
  var description: String {
    let attached = attachments.isEmpty ? "no attachment" : attachments.joined(separator: ", ")
    let parts = [
      "\(outcome.rawValue) by rule \(rule.number)", "“\(title)”, “\(body)”", attached,
      badge.map { "badge \($0)" }, expired ? "expired" : nil,
      rules.isEmpty ? nil : "rules " + rules.map { "\($0.number)" }.joined(separator: ", "),
    ]
    return parts.compactMap(\.self).joined(separator: "; ")
  }
}
