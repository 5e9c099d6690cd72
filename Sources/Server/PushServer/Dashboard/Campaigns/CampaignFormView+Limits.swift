import Markup
import PushModel
import PushPayload

/// The limits: those of the app that the campaign obeys, and its own.
extension CampaignFormView {
  var limitFields: HTML {
    let own: [CampaignForm.Field] = [.throttle, .quietFrom, .quietTo]
    let isRefused = own.contains { fields.isRefused($0.rawValue) }
    return """
      <details class="more"\(" open", if: isRefused)><summary>Limits <span class="set">\(limitWords)</span></summary>
      <div class="push-only">\(line(.throttle, type: "number", more: " min=\"1\" max=\"1000000\"",
      help: "If empty, as fast as APNs accepts."))
      <fieldset class="switch"><legend>\(CampaignForm.Field.quiet.title)</legend>
      \(radio(.quiet, "obey", title: "Use the app's"))\(radio(.quiet, "ignore", title: "None"))\
      \(radio(.quiet, "own", title: "Others"))</fieldset>
      <p class="help">\(limits.quiet?.words ?? "The app has none at present.")</p>
      <div class="own-only"><div class="columns">
      <div>\(line(.quietFrom, type: "time"))</div><div>\(line(.quietTo, type: "time"))</div>
      <div>\(menu(.quietElse, QuietHours.Otherwise.choices))</div></div></div>
      \(menu(.caps, CampaignForm.Caps.allCases.map { ($0.rawValue, $0.title) }))
      <p class="help">\(limits.caps.isEmpty ? "The app has none at present." : "The app has: \(FrequencyCap.words(limits.caps)).")</p></div>
      <fieldset class="switch"><legend>\(CampaignForm.Field.holdout.title)</legend>
      \(radio(.holdout, "obey", title: "Leave the holdout out"))\
      \(radio(.holdout, "ignore", title: "Send to the holdout, too"))</fieldset>
      <p class="help">\(holdoutHelp)</p>
      </details>
      """
  }

  /// The limits that differ from the app's, in words.
  private var limitWords: String {
    var words = form[.throttle].isEmpty ? [] : [CampaignForm.Field.throttle.title]
    for field in [CampaignForm.Field.quiet, .caps, .holdout]
    where !form[field].isEmpty && form[field] != "obey" {
      words.append(field.title)
    }
    return words.joined(separator: ", ")
  }

  private var holdoutHelp: String {
    limits.holdout.map {
      "\($0.percent) % of the app's people are left out of campaigns, so that their effect can be measured."
    } ?? "This app has no holdout at present: the choice counts once it has one."
  }
}

extension QuietHours.Otherwise {
  /// The choices of a menu.
  static let choices = [
    (value: Self.wait.rawValue, title: "Waits for their end"),
    (value: Self.drop.rawValue, title: "Is not sent"),
  ]
}

extension QuietHours {
  /// The hours as a range: `22:00 to 08:00`.
  var span: String { "\(Self.clock(from)) to \(Self.clock(to))" }

  /// The effect of the hours, in a sentence.
  var words: String {
    otherwise == .wait
      ? "From \(span) on each device's clock it waits for their end."
      : "From \(span) on each device's clock it is not sent."
  }

  /// Whether a minute of the day is within the hours.
  func contains(_ minute: Int) -> Bool {
    from < to ? (from..<to).contains(minute) : minute >= from || minute < to
  }
}

extension FrequencyCap {
  /// The cap in words: `3 pushes in 7 days`.
  var words: String {
    "\(most) \(most == 1 ? "push" : "pushes") in \(CampaignPeriod(within).words)"
  }

  static func words(_ rules: [FrequencyCap]) -> String {
    rules.map(\.words).joined(separator: ", ")
  }
}
