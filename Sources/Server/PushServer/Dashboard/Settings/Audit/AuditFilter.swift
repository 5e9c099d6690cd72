import PushModel

/// The choice of entries of an audit log, as the query of the page's URL has it.
struct AuditFilter: Sendable {
  /// The value of `who` for entries without a key and a person.
  static let unnamed = "none"
  private static let key = "key:"
  private static let person = "person:"

  private(set) var who = ""
  /// The id of one of ``AuditWords/kinds``.
  private(set) var what = ""
  /// The first and the last day, in UTC.
  private(set) var from = ""
  private(set) var to = ""
  private(set) var query = AuditQuery()

  /// Reads the fields of a form in the query of a URL, which choose all entries until ``check()``.
  init(_ call: RequestContext) {
    who = call.query("who") ?? ""
    what = call.query("what") ?? ""
    from = call.query("from") ?? ""
    to = call.query("to") ?? ""
  }

  /// Chooses the entries that the fields say; empty ones choose all.
  ///
  /// - Throws: ``RequestError`` `.invalid` if a field is not understood.
  mutating func check() throws(RequestError) {
    if !who.isEmpty { query.actor = try Self.actor(who) }
    if !what.isEmpty {
      guard let kind = AuditWords.kinds.first(where: { $0.id == what }) else {
        throw RequestError(.invalid, "choose one of the listed kinds of changes")
      }
      query.subjects = kind.subjects
    }
    guard !from.isEmpty || !to.isEmpty else { return }
    let first = from.isEmpty ? Timestamp(milliseconds: 0) : try Self.day(from, "first")
    let last =
      to.isEmpty
      ? Timestamp(milliseconds: .max)
      : try Self.day(to, "last") + .milliseconds(86_399_999)
    guard first <= last else {
      throw RequestError(.invalid, "the last day is before the first; choose a later one")
    }
    query.times = first...last
  }

  private static func actor(_ text: String) throws(RequestError) -> AuditQuery.Actor {
    if text == unnamed { return .unnamed }
    if text.hasPrefix(key) { return .key(String(text.dropFirst(key.count))) }
    if text.hasPrefix(person) { return .person(String(text.dropFirst(person.count))) }
    throw RequestError(.invalid, "choose one of the listed people and keys")
  }

  private static func day(_ text: String, _ which: String) throws(RequestError) -> Timestamp {
    guard text.utf8.count == 10, let day = Timestamp(iso8601: text) else {
      throw RequestError(.invalid, "the \(which) day must be a date such as 2026-11-30")
    }
    return day
  }

  /// The value of `who` for the one who made an entry.
  static func who(_ entry: AuditEntry) -> String {
    if let id = entry.key { return key + id }
    return entry.account.map { person + $0 } ?? unnamed
  }

  static func who(_ key: APIKey) -> String { self.key + key.id }
  static func who(_ account: Account) -> String { person + account.id }

  var isEmpty: Bool { query == AuditQuery() }

  /// The fields that have a value, for a URL.
  var fields: [(name: String, value: String)] {
    [("who", who), ("what", what), ("from", from), ("to", to)].filter { !$0.1.isEmpty }
  }
}
