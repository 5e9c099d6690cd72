import Markup
import PushModel

/// The rates of a send with their definitions, its conversions and its languages.
struct RatesView {
  var results: SendResults
  /// The path of the report, for the link that counts languages.
  var path: String
  /// Whether the languages were asked for.
  var isAsked = false

  var html: HTML {
    """
    <div class="report-pairs"><section>\(rates)</section>
    <section>\(conversions)\(languages)</section></div>
    """
  }

  private var rates: HTML {
    let rows: [(String, Proportion)] = [
      ("Click-through rate", results.clickThrough),
      ("Confirmed click-through rate", results.confirmedClickThrough),
      ("Influenced opens", results.influenced),
    ]
    let table: HTML = """
      <table class="dense"><thead><tr><th scope="col">Rate</th><th scope="col" class="number">Devices</th>\
      <th scope="col" class="number">Of</th><th scope="col">Rate, with its interval</th></tr></thead>
      <tbody>\(rows.map { Self.row($0.0, $0.1) })</tbody></table>
      """
    return """
      <h2>Rates</h2>
      \(.table("Rates", table))
      <details class="help"><summary>How rates are counted</summary>
      <dl class="facts">
      <dt>Click-through rate</dt><dd>Devices that reported a tap, of those for which APNs accepted the push.</dd>
      <dt>Confirmed</dt><dd>The same, of those that reported that the push arrived.</dd>
      <dt>Influenced opens</dt><dd>Taps, and openings of the app without a tap within \(SendResults.windowHours) hours after \
      the push arrived. An opening counts for the last push that the device had received, and once. OneSignal has the same \
      \(SendResults.windowHours) hours, for up to ten pushes at once; Airship has 12 hours and subtracts the openings that it \
      would expect anyway; Braze has 30 minutes, or half of the usual time between two sessions.</dd>
      <dt>Interval</dt><dd>Where the true rate lies in 95 of 100 cases (Wilson).</dd>
      </dl></details>
      """
  }

  private static func row(_ title: String, _ rate: Proportion) -> HTML {
    """
    <tr><th scope="row">\(title)</th><td class="number">\(.count(rate.successes))</td>\
    <td class="number">\(.count(rate.trials))</td><td>\(rate.rateWithInterval)</td></tr>

    """
  }

  // MARK: Conversions

  private var conversions: HTML {
    guard !results.conversions.isEmpty else {
      return """
        <h2>Conversions</h2><p class="muted">No event is a conversion of this notification. Events that name it are, and those \
        within \(SendResults.windowHours) hours after the app was opened because of it.</p>
        """
    }
    let rows = results.conversions.map { event, count -> HTML in
      """
      <tr><th scope="row">\(event)</th><td class="number">\(.count(count))</td>\
      <td class="number">\(.count(results.send.counts.sent))</td>\
      <td class="number">\(results.perDevice(count).map(HTML.percent) ?? "–")</td></tr>

      """
    }
    let table: HTML = """
      <table class="dense"><caption>Events that name the notification, or within \(SendResults.windowHours) hours after the \
      app was opened because of it; each time counts</caption>
      <thead><tr><th scope="col">Event</th><th scope="col" class="number">Conversions</th>\
      <th scope="col" class="number">Sent</th><th scope="col" class="number">Conversions of sent</th></tr></thead>
      <tbody>\(rows)</tbody></table>
      """
    return "<h2>Conversions</h2>\(HTML.table("Conversions", table))"
  }

  // MARK: Languages

  private var languages: HTML? {
    guard results.send.counts.sent > 0 else { return nil }
    guard let languages = results.languages else {
      guard !isAsked else {
        return """
          <h2>Languages</h2><p class="muted">What became of each device is no longer stored, so languages are not known.</p>
          """
      }
      return """
        <h2>Languages</h2><p><a class="button" href="\(path)?languages">Count by language</a></p>
        """
    }
    let isLocalized = LanguageResult.isLocalized(results.send)
    let unnamed = isLocalized ? "Fallback" : "Not known"
    let rows = languages.map { one in
      Self.row(
        one.language.map(LanguageNames.name) ?? unnamed,
        Proportion(successes: min(one.opened, one.accepted), trials: one.accepted))
    }
    let caption =
      isLocalized
      ? "Openings by the text that devices get now"
      : "Openings by the language that devices have now"
    let table: HTML = """
      <table class="dense"><caption>\(caption)</caption>
      <thead><tr><th scope="col">Language</th><th scope="col" class="number">Opened</th>\
      <th scope="col" class="number">Sent</th><th scope="col">Click-through rate, with its interval</th></tr></thead>
      <tbody>\(rows)</tbody></table>
      """
    return "<h2>Languages</h2>\(HTML.table("Languages", table))"
  }
}
