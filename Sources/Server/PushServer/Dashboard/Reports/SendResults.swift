import PushPayload
import PushStore

/// What became of a send, as its report, its CSV and a comparison show it.
struct SendResults: Sendable {
  /// How long an opening of the app, and an event after it, are credited to a push; see `Attribution` of the store.
  static let windowHours = 24

  var send: Send
  var hours: [SendHour]
  /// How many devices did what because of the send, by the name of the event.
  var conversions: [(event: String, count: Int)]
  /// What devices of each language did; `nil` where they were not counted.
  var languages: [LanguageResult]?

  init(_ send: Send, _ request: PageRequest, countsLanguages: Bool) async throws {
    self.send = send
    let store = request.api.store
    hours = try await store.hours(of: send.id, app: send.app)
    conversions = try await store.conversions(of: send.id, app: send.app)
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    if countsLanguages { languages = try await LanguageResult.all(of: send, request) }
  }

  // MARK: Rates

  /// The devices that opened the notification among those for which APNs accepted it.
  var clickThrough: Proportion { Proportion(opened: send.counts) }

  /// The devices that opened it among those that reported its arrival.
  var confirmedClickThrough: Proportion {
    Proportion(
      successes: min(send.counts.opened, send.counts.delivered), trials: send.counts.delivered)
  }

  /// Taps, and openings of the app without a tap that are credited to the send, among those for which APNs accepted it.
  var influenced: Proportion {
    let opened = send.counts.opened + send.counts.openedIndirectly
    return Proportion(successes: min(opened, send.counts.sent), trials: send.counts.sent)
  }

  func rate(of conversions: Int) -> Proportion {
    Proportion(successes: min(conversions, send.counts.sent), trials: send.counts.sent)
  }

  /// The results of media, the most frequent first.
  static func media(in hours: [SendHour]) -> [(outcome: String, count: Int)] {
    var sums: [String: Int] = [:]
    for hour in hours { sums.merge(hour.media, uniquingKeysWith: +) }
    return sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }

  /// Whether anything has happened that a report could show.
  var isEmpty: Bool {
    send.counts.sent + send.counts.rejected + send.counts.uninstalled == 0
  }

  /// The report in rows of CSV: a section, a name in it, a count, and of how many it is.
  static let header = ["section", "name", "count", "of"]

  var rows: [[String]] {
    let counts = send.counts
    var rows = counts.rows.map { ["counts", $0.column, String($0.count), String(counts.targeted)] }
    for (name, rate) in [
      ("ctr", clickThrough), ("confirmed_ctr", confirmedClickThrough),
      ("influenced_opens", influenced),
    ] { rows.append(["rates", name, String(rate.successes), String(rate.trials)]) }
    rows += conversions.map { ["conversions", $0.event, String($0.count), String(counts.sent)] }
    rows += (languages ?? []).map {
      ["languages", $0.language ?? "", String($0.opened), String($0.accepted)]
    }
    let media = Self.media(in: hours)
    let all = media.reduce(0) { $0 + $1.count }
    rows += media.map { ["media", $0.outcome, String($0.count), String(all)] }
    for hour in hours {
      for (name, count) in [
        ("sent", hour.sent), ("displayed", hour.displayed), ("opened", hour.opened),
      ] where count > 0 {
        rows.append(["\(name)_by_hour", hour.time.iso8601, String(count), ""])
      }
    }
    return rows
  }
}

/// What the devices of one language did with a send.
struct LanguageResult: Sendable {
  /// The language, or the locale of the text where the send has texts by locale; `nil` for the fallback, or for devices
  /// that have not said theirs.
  var language: String?
  var accepted: Int
  var opened: Int

  /// The most devices of a send whose languages a page counts without being asked to.
  static let quickLimit = 20_000

  /// The results by the text that devices got, or by their language where all got one text; the most frequent first.
  ///
  /// - Returns: `nil` where outcomes or receipts are no longer stored.
  static func all(
    of send: Send, _ request: PageRequest
  ) async throws(StoreError) -> [LanguageResult]? {
    do throws(StoreError) {
      return try await counted(send, request)
    } catch {
      guard error.code == .conflict else { throw error }
      return nil
    }
  }

  private static func counted(
    _ send: Send, _ request: PageRequest
  ) async throws(StoreError) -> [LanguageResult]? {
    let (store, audiences) = (request.api.store, request.api.audiences)
    guard let accepted = try await store.received(send.id, app: send.app, opened: nil),
      let opened = try await store.received(send.id, app: send.app, opened: true)
    else { return nil }
    var form = ComposeForm()
    form.fill(fromPayload: send.payload.object ?? [:])
    let written = Set(form.languages)
    func name(_ locale: String?) -> String? {
      guard let locale else { return nil }
      return written.isEmpty
        ? TextLocale.language(of: locale) : TextLocale.best(for: locale, where: written.contains)
    }
    var results: [String?: LanguageResult] = [:]
    for (locale, devices) in try await audiences.byLocale(accepted, app: send.app) {
      let language = name(locale)
      var result =
        results[language] ?? LanguageResult(language: language, accepted: 0, opened: 0)
      result.accepted += devices.count
      results[language] = result
    }
    for (locale, devices) in try await audiences.byLocale(opened, app: send.app) {
      results[name(locale)]?.opened += devices.count
    }
    return results.values.sorted {
      ($1.accepted, $0.language ?? "") < ($0.accepted, $1.language ?? "")
    }
  }

  /// Whether a send has a text by locale, so that `nil` is its fallback.
  static func isLocalized(_ send: Send) -> Bool {
    ComposeForm.localizedKeys.contains {
      send.payload[$0.key]?[TextLocale.fallback] != nil
    }
  }
}
