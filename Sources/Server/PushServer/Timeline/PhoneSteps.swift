import NotificationHost
package import PushModel

/// The steps on the phone: what it has reported, and what a phone with the reported settings does with the push.
package struct PhoneSteps: Sendable {
  /// The push as it is composed now; `nil` if it is not known.
  package var push: ComposedPush?
  package var acceptedAt: Timestamp
  /// The settings that the app has reported; `nil` if it has reported none.
  package var settings: DeviceSettings?
  /// Whether the app has reported that pushes are delivered quietly.
  package var isQuiet = false
  /// The reports of the phone about the push, the oldest first.
  package var receipts: [Receipt] = []
  /// The time until which APNs keeps the push; `nil` if the push does not say.
  package var expiresAt: Timestamp?
  /// The time at which APNs has said of a later push that the app was removed.
  package var uninstalledAt: Timestamp?
  /// The versions and the last opening of the app in words; `nil` if they are not known.
  package var app: String?
  package var now: Timestamp

  package init(push: ComposedPush?, acceptedAt: Timestamp) {
    (self.push, self.acceptedAt) = (push, acceptedAt)
    now = acceptedAt
  }

  typealias Step = DeliveryTimeline.Step

  package var steps: [DeliveryTimeline.Step] { [phone, shown, opened] }

  /// The settings, if they were reported before the push was sent: later ones may not have been in force.
  var settingsThen: DeviceSettings? {
    settings.flatMap { $0.reportedAt ?? acceptedAt <= acceptedAt ? $0 : nil }
  }

  var forecast: DeliveryForecast? {
    push.map { DeliveryForecast(of: $0.message, settings: .init(settingsThen)) }
  }

  private var received: Receipt? { receipts.first { $0.event == .received } }

  // MARK: The extension

  private var phone: Step {
    if let received { return handled(received) }
    if let push, let forecast, let rule = forecast.extensionRule,
      let reason = forecast.extensionReason
    {
      let isCause = push.needsExtension && forecast.outcome == .displayed
      return Step(
        .phone, isCause ? .cause : .passed,
        code: isCause ? rule.name.replacing("-", with: "_") : "extension_not_run",
        text: "The service extension does not run for this push: \(reason). So it reports nothing"
          + (isCause ? ", and the notification is shown without what the extension adds." : "."),
        advice: isCause ? Self.advice(rule) : nil)
    }
    return notReported
  }

  private var notReported: Step {
    var words =
      "The phone has not reported it. It may be off or without a network, or the app's extension"
      + " sends no receipts, or it was ended before it could"
    if let app { words += "; the app is \(app)" }
    if receipts.isEmpty, let expiresAt, expiresAt <= now {
      words +=
        "; APNs has dropped the push if the phone could not be reached until \(expiresAt.iso8601)"
    }
    if let uninstalledAt {
      words += "; APNs has said at \(uninstalledAt.iso8601) that the app was removed"
    }
    return Step(
      .phone, .unknown, code: "not_reported", text: words + ".",
      advice: "Look up the apns-id in Apple's Push Notifications Console, which says whether the"
        + " phone took the push. Set ReceiptSettings in the service extension.")
  }

  private func handled(_ receipt: Receipt) -> Step {
    let trace = receipt.trace
    var words = "The service extension handled it"
    if let time = receipt.milliseconds { words += " in \(time) ms" }
    if let dialect = trace?.dialect { words += " with the dialect \(dialect)" }
    if let media = trace?.media, !media.isEmpty {
      words += "; media: " + media.map(\.words).joined(separator: ", ")
    } else if let media = receipt.media {
      words += "; media: \(media)"
    }
    words += clockWords(receipt.at)
    guard let fault = fault(receipt) else {
      return Step(.phone, .passed, code: "received", text: words + ".", at: receipt.at)
    }
    return Step(
      .phone, .cause, code: fault.code, text: "\(fault.text) \(words).", at: receipt.at,
      advice: fault.advice)
  }

  /// The first fault that the extension has reported; `nil` if it has reported none.
  private func fault(_ receipt: Receipt) -> (code: String, text: String, advice: String)? {
    if let reason = receipt.trace?.decryption, reason != "ok" {
      return (
        "decryption_" + reason.replacing("-", with: "_"),
        "The phone could not decrypt the payload (\(reason)), and showed the placeholder.",
        "The app has to register its public_key and auth_secret again, and to keep its keys where the"
          + " extension reads them."
      )
    }
    if receipt.trace?.content == .untouched, push?.wantsMedia != false {
      return (
        "category_untouched",
        "The extension left the notification as it was, because it is for other categories.",
        "Add the category to UNNotificationExtensionCategory, or send without a category."
      )
    }
    guard receipt.media == "failed" || receipt.media == "skipped" else { return nil }
    let reason = receipt.reason ?? receipt.media ?? ""
    return (
      "media_" + reason.replacing("-", with: "_"),
      "It was shown without its media (\(reason)).", FailureAdvice.media(reason)
    )
  }

  /// A remark about a phone's clock that is wrong by minutes; TLS fails with such a clock.
  private func clockWords(_ time: Timestamp) -> String {
    let behind = acceptedAt.since(time) / .seconds(60)
    let ahead = time.since(now) / .seconds(60)
    if behind > 2 { return "; the phone's clock is \(Int(behind)) minutes behind" }
    if ahead > 2 { return "; the phone's clock is \(Int(ahead)) minutes ahead" }
    return ""
  }

  private static func advice(_ rule: HostRule) -> String? {
    switch rule.name {
    case "mutable-content": "Send \"mutable_content\": true (aps.mutable-content: 1)."
    case "alert-required": "Give the notification a title or a body."
    case "push-type": "Send it with the push type alert."
    default: nil
    }
  }

  // MARK: Opened

  private var opened: Step {
    let taps: [Receipt.Event] = [.opened, .action, .templateOpened, .templateAnswered]
    if let tap = receipts.first(where: { taps.contains($0.event) }) {
      return Step(.opened, .passed, code: "opened", text: "The person opened it.", at: tap.at)
    }
    if let receipt = receipts.first(where: { $0.event == .dismissed }) {
      return Step(
        .opened, .passed, code: "dismissed", text: "The person dismissed it.", at: receipt.at)
    }
    return Step(
      .opened, .unknown, code: "not_opened",
      text:
        "No tap was reported. Events that are credited to a notification are counted for all devices"
        + " together.")
  }
}

extension ReceiptTrace.Medium {
  fileprivate var words: String {
    result + (reason.map { " (\($0)\(status.map { " \($0)" } ?? ""))" } ?? "")
  }
}
