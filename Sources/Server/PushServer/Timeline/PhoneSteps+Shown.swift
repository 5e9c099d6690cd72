import NotificationHost
import PushModel

/// The step in which the system shows the notification, or does not.
extension PhoneSteps {
  /// The reports that only a shown notification has.
  private static let shownEvents: Set<Receipt.Event> = [
    .displayed, .opened, .dismissed, .action, .templateViewed, .templatePage, .templateAnswered,
    .templateOpened, .templateExpired, .templatePlayed,
  ]

  var shown: DeliveryTimeline.Step {
    if let receipt = receipts.first(where: { Self.shownEvents.contains($0.event) }) {
      return Step(
        .shown, .passed, code: "displayed",
        text: receipt.event == .displayed
          ? "The app has reported that it was shown."
          : "It was shown: the phone has reported \(receipt.event.rawValue).", at: receipt.at)
    }
    if let cause = settingsCause ?? payloadCause ?? placeCause { return cause }
    return expected
  }

  /// The cause in the app's settings on the phone; `nil` if there is none.
  private var settingsCause: DeliveryTimeline.Step? {
    guard let settings = settingsThen else { return nil }
    if let authorization = settings.authorization, !authorization.allowsNotifications {
      return cause(
        "no_permission",
        authorization == .denied
          ? "The person does not allow notifications of the app."
          : "The app has not asked for the permission to notify.",
        advice: DeliveryFacts.Code.optedOut.advice)
    }
    let places = [settings[.alerts], settings[.lockScreen], settings[.notificationCenter]]
    guard places.allSatisfy({ $0 == false }) else { return nil }
    return cause(
      "alerts_off", "Banners, the lock screen and Notification Center are off for the app.",
      advice: "The person has to turn one of them on in Settings.")
  }

  /// The cause in the push itself; `nil` if there is none, or the push is not known.
  private var payloadCause: DeliveryTimeline.Step? {
    guard let forecast, forecast.outcome != .displayed else { return nil }
    return Step(
      .shown, .cause, code: forecast.rule.name.replacing("-", with: "_"),
      text: "A phone shows nothing of this push: \(forecast.reason).",
      advice: "Send a title or a body, with the push type alert.")
  }

  /// The cause that keeps the notification off the lock screen now, although it is in Notification Center or in the
  /// summary; `nil` if there is none.
  private var placeCause: DeliveryTimeline.Step? {
    let level = forecast?.interruptionLevel
    let isUrgent = level == "time-sensitive" || level == "critical"
    let breaksThrough =
      level == "critical" || level == "time-sensitive" && settingsThen?[.timeSensitive] != false
    if receipts.contains(where: { $0.trace?.isFocused == true }), !breaksThrough {
      return cause(
        "focus", "A Focus silenced it: it is in Notification Center.",
        advice: isUrgent
          ? "The person has to allow time-sensitive notifications of the app."
          : "What is urgent can have the interruption level time-sensitive.")
    }
    guard let settings = settingsThen else { return quietCause(isQuiet) }
    if settings[.scheduledSummary] == true, !breaksThrough {
      return cause(
        "scheduled_summary",
        "It waits for the scheduled summary, at the times that the person chose.",
        advice: "What is urgent can have the interruption level time-sensitive.")
    }
    let isListOnly = settings[.alerts] == false && settings[.lockScreen] == false
    if let cause = quietCause(isQuiet || settings.authorization == .provisional || isListOnly) {
      return cause
    }
    if settings[.lockScreen] == false {
      return cause(
        "lock_screen_off", "The person does not have notifications of the app on the lock screen.",
        advice: "The person has to turn the lock screen on in Settings.")
    }
    guard level == "passive" else { return nil }
    return cause(
      "passive",
      "The push asks for the interruption level passive: it is in the list, and does not light up the"
        + " screen.", advice: "Send it with the interruption level active.")
  }

  private func quietCause(_ isQuiet: Bool) -> DeliveryTimeline.Step? {
    guard isQuiet else { return nil }
    return cause(
      "quiet_delivery",
      "The app's notifications are delivered quietly, to Notification Center only.",
      advice: "Let the app ask for the permission, so that the person chooses where they are shown."
    )
  }

  private func cause(_ code: String, _ text: String, advice: String?) -> DeliveryTimeline.Step {
    let time = settings?.reportedAt.map { " The app has reported these settings at \($0.iso8601)." }
    let ofSettings = code == "focus" || code == "passive" ? nil : time
    return Step(.shown, .cause, code: code, text: text + (ofSettings ?? ""), advice: advice)
  }

  /// The step without a known cause.
  private var expected: DeliveryTimeline.Step {
    var words =
      push == nil
      ? "Whether it was shown is not known"
      : "A phone with \(settingsThen == nil ? "the usual" : "these") settings shows it. Whether this one"
        + " did is not reported, because iOS tells an app only while it is open"
    if let time = settings?.reportedAt, settingsThen == nil {
      words += "; the app's settings are known since \(time.iso8601), which is after the push"
    } else if settings == nil {
      words += "; the app has not reported its settings"
    }
    return Step(
      .shown, .unknown, code: "expected", text: words + ".",
      advice: "Ask whether a Focus was on, and look in Notification Center.")
  }
}

extension NotificationSettings {
  /// The settings that an app has reported; those that are not known are on.
  init(_ reported: DeviceSettings?) {
    self.init()
    guard let reported else { return }
    alerts = reported[.alerts] ?? true
    lockScreen = reported[.lockScreen] ?? true
    notificationCenter = reported[.notificationCenter] ?? true
    badges = reported[.badges] ?? true
    sounds = reported[.sounds] ?? true
    if reported.authorization?.allowsNotifications == false { self = .denied }
  }
}
