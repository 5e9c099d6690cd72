import PushModel
import PushPayload

/// The results of a send, for its report, its CSV and a comparison.
struct SendResults: Sendable {
  /// The hours for which openings and events are credited to a push; see `Attribution` of the store.
  static let windowHours = 24

  var send: Send
  var hours: [SendHour]
  /// The events that are credited to the send, by their names; a device may have any number of each.
  var conversions: [(event: String, count: Int)]
  /// The results by language; `nil` if they were not counted.
  var languages: [LanguageResult]?

  init(_ send: Send, _ request: PageRequest, countsLanguages: Bool) async throws {
    self.send = send
    let store = request.router.store
    hours = try await store.hours(of: send.id, app: send.app)
    conversions = try await store.conversions(of: send.id, app: send.app)
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    if countsLanguages { languages = try await LanguageResult.all(of: send, request) }
  }

  // MARK: Rates

  /// The devices that opened the notification among those for which APNs accepted it.
  var clickThrough: Proportion { Proportion(opened: send.counts) }

  /// The devices that opened the notification among those that reported its arrival.
  var confirmedClickThrough: Proportion {
    Proportion(
      successes: min(send.counts.opened, send.counts.delivered), trials: send.counts.delivered)
  }

  /// The taps and credited openings of the app without a tap, among the devices for which APNs accepted the push.
  var influenced: Proportion {
    let opened = send.counts.opened + send.counts.openedIndirectly
    return Proportion(successes: min(opened, send.counts.sent), trials: send.counts.sent)
  }

  /// The conversions for each device for which APNs accepted the push, which may be more than one; `nil` without such
  /// a device.
  func perDevice(_ conversions: Int) -> Double? {
    send.counts.sent > 0 ? Double(conversions) / Double(send.counts.sent) : nil
  }

  /// The results of media, the most frequent first.
  static func media(in hours: [SendHour]) -> [(outcome: String, count: Int)] {
    var sums: [String: Int] = [:]
    for hour in hours { sums.merge(hour.media, uniquingKeysWith: +) }
    return sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }

  /// Whether the report has nothing to show yet.
  var isEmpty: Bool {
    send.counts.sent + send.counts.rejected + send.counts.uninstalled == 0
  }

  /// The columns of the report in CSV: a section, a name in it, a count, and the number that the count is part of.
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

/// The results of a send on the devices of one language.
struct LanguageResult: Sendable {
  /// The language, or the locale of a text in several languages; `nil` for the fallback, or if devices have
  /// reported none.
  var language: String?
  var accepted: Int
  var opened: Int

  /// The largest number of devices whose languages a page counts without being asked.
  static let quickLimit = 20_000

  /// The results by the language of the text, or of the devices if all got one text; the most frequent first.
  ///
  /// - Returns: The results; `nil` if outcomes or receipts are no longer stored.
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
    let (store, audiences) = (request.router.store, request.router.audiences)
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

  /// Whether a send has texts by locale, so that the language `nil` means its fallback.
  static func isLocalized(_ send: Send) -> Bool {
    ComposeForm.localizedKeys.contains {
      send.payload[$0.key]?[TextLocale.fallback] != nil
    }
  }
}
