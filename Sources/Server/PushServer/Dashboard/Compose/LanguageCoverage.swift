import Markup
import PushModel

/// The devices of an audience that a push reaches, by their locales.
struct AudienceLocales: Sendable {
  var members: DeviceNumbers
  /// The devices of each locale; the locale is `nil` for devices that have reported none.
  var parts: [(locale: String?, devices: DeviceNumbers)]

  init(members: DeviceNumbers, parts: [(locale: String?, devices: DeviceNumbers)]) {
    (self.members, self.parts) = (members, parts)
  }

  init(of audience: Audience, _ request: PageRequest) async throws(StoreError) {
    let devices = try await request.router.audiences.devices(of: audience, at: request.now)
    try await self.init(members: devices, request)
  }

  init(members: DeviceNumbers, _ request: PageRequest) async throws(StoreError) {
    self.members = members
    parts = try await request.router.audiences.byLocale(members, app: request.app.id)
  }
}

/// The number of devices of an audience that get the texts of each language.
struct LanguageCoverage: Sendable {
  /// A language of the form with the devices that get it.
  struct Row: Sendable {
    /// The language; `nil` if the row is that of the fallback.
    var language: String?
    var devices: Int
    /// The number by which the store knows one of the devices.
    var first: UInt32?
  }

  /// A language of some devices in which no text is written.
  struct Unwritten: Sendable {
    /// The language; `nil` if the devices have reported none.
    var language: String?
    var devices: Int
  }

  /// The languages of the form in its order, followed by the fallback.
  private(set) var rows: [Row] = []
  /// The languages of the devices that get the fallback, the most frequent first.
  private(set) var unwritten: [Unwritten] = []
  /// The devices of the audience that a push reaches.
  let members: DeviceNumbers
  private(set) var total: Int

  /// Divides devices by the languages of a form.
  ///
  /// `languages` are the normalized languages that have texts.
  init(_ languages: [String], in audience: AudienceLocales) {
    members = audience.members
    total = members.count
    let written = Set(languages)
    var reached: [String?: Row] = [:]
    var others: [String: Int] = [:]
    var unknown = 0
    for (locale, devices) in audience.parts {
      let best = locale.flatMap { TextLocale.best(for: $0, where: written.contains) }
      var row = reached[best] ?? Row(language: best, devices: 0)
      row.devices += devices.count
      row.first = row.first ?? devices.first
      reached[best] = row
      guard best == nil else { continue }
      if let locale {
        others[TextLocale.language(of: locale), default: 0] += devices.count
      } else {
        unknown += devices.count
      }
    }
    rows = (languages.map { $0 as String? } + [nil]).map {
      reached[$0] ?? Row(language: $0, devices: 0)
    }
    unwritten = others.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { Unwritten(language: $0.key, devices: $0.value) }
    if unknown > 0 { unwritten.append(Unwritten(language: nil, devices: unknown)) }
  }

  /// Up to `count` devices: one for each written language, and then the first others.
  func samples(_ count: Int) -> DeviceNumbers {
    var chosen: [UInt32] = []
    for device in rows.compactMap(\.first) + members.prefix(count)
    where chosen.count < count && !chosen.contains(device) {
      chosen.append(device)
    }
    return DeviceNumbers(chosen.sorted())
  }
}

extension LanguageCoverage {
  /// The coverage of some of the devices, in which each language keeps its share.
  func scaled(to count: Int) -> LanguageCoverage {
    guard self.total > 0 else { return self }
    let total = self.total
    var part = self
    part.total = count
    for row in rows.indices { part.rows[row].devices = rows[row].devices * count / total }
    for row in unwritten.indices {
      part.unwritten[row].devices = unwritten[row].devices * count / total
    }
    return part
  }
}

extension LanguageCoverage {
  /// The largest number of languages that the notice names.
  private static let namedCount = 5

  /// A notice of the languages in which devices are set, but nothing is written; `nil` if there is no such language.
  ///
  /// `isAbout` leaves the numbers of devices out, because they are estimated.
  func notice(isAbout: Bool = false) -> HTML? {
    let known = unwritten.compactMap { part in
      part.language.map { language in
        let name = LanguageNames.name(of: language)
        return isAbout ? name : "\(name) (\(AudienceReach.devices(part.devices)))"
      }
    }
    guard !known.isEmpty else { return nil }
    let more = known.count - Self.namedCount
    let others = more > 0 ? " and \(more) more languages" : ""
    return """
      <span class="lack">No text in \(known.prefix(Self.namedCount).joined(separator: ", "))\(others): \
      their devices get the fallback.</span>
      """
  }
}
