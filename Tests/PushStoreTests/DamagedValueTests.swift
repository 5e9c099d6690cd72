import Foundation
import NetworkAddresses
import PushPayload
import TestSupport
import Testing
import _SQLite

@testable import PushStore

/// Every column of every table is damaged and aged, one after the other, and read by every call that reads.
@Suite("A stored value that is damaged, or that a newer version wrote", .timeLimit(.minutes(10)))
struct DamagedValueTests {
  private static let directory = TemporaryFolder()

  /// The form of the values of a column.
  private enum Form {
    /// A word of a list.
    case word
    /// An object whose members are known.
    case object
    /// An array of texts.
    case texts
    /// An array of objects whose members are known.
    case objects
    /// JSON that the caller made.
    case json
    /// Text or bytes in a form of their own.
    case packed

    /// What is stored in place of a value, as SQL, by what it stands for.
    func damages(of column: String) -> [(kind: String, sql: String)] {
      let cut = ("cut", "substr(\(column), 1, length(\(column)) - 1)")
      return switch self {
      case .word: [cut, ("a word of a newer version", "'later'")]
      case .object: [cut, ("a member of a newer version", "json_set(\(column), '$.later', 1)")]
      case .texts: [cut, ("an element of another type", "json_insert(\(column), '$[#]', 5)")]
      case .objects:
        [
          cut, ("a member of a newer version", "json_set(\(column), '$[0].later', 1)"),
          (
            "an element of a newer version", "json_insert(\(column), '$[#]', json('{\"later\":1}'))"
          ),
        ]
      case .json, .packed: [cut]
      }
    }
  }

  /// The columns that have more than a number, a text or bytes. The columns of the others are checked for their type.
  private static let forms: KeyValuePairs<String, Form> = [
    "apps.identity": .word, "keys.role": .word, "keys.allow": .texts, "account_roles.role": .word,
    "devices.tags": .texts, "devices.attributes": .object, "devices.events": .object,
    "devices.open_hours": .packed, "audiences.filters": .objects,
    "sends.payload": .json, "sends.state": .word, "sends.activity_push": .object,
    "sends.labels": .texts, "sends.phase": .word, "segments.devices": .packed,
    "segments.quiet": .packed, "batches.devices": .packed, "batches.outcomes": .packed,
    "receipts.event": .word, "send_hours.kind": .word, "messages.content": .json,
    "messages.phase": .word, "webhooks.events": .texts, "activities.event": .word,
    "channels.storage": .word, "campaigns.kind": .word, "campaigns.state": .word,
    "campaigns.labels": .texts, "campaigns.approval": .object, "campaign_versions.document": .json,
    "runs.state": .word, "runs.report": .json, "run_devices.devices": .packed,
    "limits.quiet": .packed, "limits.caps": .packed, "push_ledger.pushes": .packed,
    "triggers.definition": .object, "triggers.removed": .object, "triggers.seen": .packed,
    "enrollments.outcome": .word, "enrollments.data": .json, "enrollments.person": .word,
    "templates.payload": .json, "template_versions.payload": .json,
  ]

  /// The columns by which rows are found, joined or added up: another value finds no row, or another sum.
  private static let links: Set<String> = [
    "app", "send", "message", "account", "subject", "run", "page", "trigger_number", "id", "kind",
    "campaign", "targeted", "sent", "count",
  ]

  @Test("is an error of what reads it, and never more rights, more devices or an earlier state")
  func everyColumn() async throws {
    let path = Self.directory.path("damaged.sqlite")
    let store = try SQLitePushStore(path: path)
    try await AppRows.fill(store)
    try await Self.fillRest(store)
    let before = try await Self.reads(of: store).mapValues { try $0.get() }
    for (name, elements) in before { #expect(!elements.isEmpty, "\(name) reads nothing") }
    let forms = Dictionary(uniqueKeysWithValues: Self.forms.map { ($0.key, $0.value) })
    let editor = try Editor(path)
    var (tries, refused, unread) = (0, 0, [String]())
    let columns = try editor.columns()
    #expect(Set(forms.keys).isSubset(of: columns.map(\.name)))
    for column in columns {
      let form = forms[column.name]
      let isFound = Self.links.contains(column.column) || column.name == "triggers.state"
      let foreign = isFound ? [] : [(kind: "another type", sql: column.foreignValue)]
      for damage in foreign + (form?.damages(of: column.column) ?? []) {
        guard try editor.replace(column, by: damage.sql) else { continue }
        tries += 1
        var hasFailed = false
        for (name, result) in try await Self.reads(of: store) {
          switch result {
          case .success(let elements):
            let more = elements.subtracting(before[name] ?? [])
            #expect(more.isEmpty, "\(column.name), \(damage.kind): \(name) reads \(more)")
          case .failure(let error):
            hasFailed = true
            // Without its receipts or outcomes a send has no audience.
            let codes: Set<StoreError.Code> = [.damaged, .conflict]
            #expect(codes.contains(error.code), "\(column.name), \(damage.kind): \(name): \(error)")
          }
        }
        refused += hasFailed ? 1 : 0
        if !hasFailed { unread.append("\(column.name), \(damage.kind)") }
        if form != nil { #expect(hasFailed, "\(column.name), \(damage.kind) is read by nobody") }
        try editor.restore(column)
      }
    }
    print("\(columns.count) columns, \(tries) damages, \(refused) refused, 0 wider")
    print("found by no read: \(unread.joined(separator: "; "))")
    #expect(try await Self.reads(of: store).mapValues { try $0.get() } == before)
  }

  private static func reads(
    of store: any SQLPushStore
  ) async throws -> [String: Result<Set<AnyHashable>, StoreError>] {
    var results: [String: Result<Set<AnyHashable>, StoreError>] = [:]
    for read in StoreRead.every {
      do {
        results[read.name] = .success(try await read.read(store))
      } catch let error as StoreError {
        results[read.name] = .failure(error)
      }
    }
    return results
  }

  /// What ``AppRows`` leaves out: the tables of people, and columns that are NULL there.
  private static func fillRest(_ store: some SQLPushStore) async throws {
    var key = Sample.key(1, app: "kept")
    key.limits.allow = [try #require(AddressRange("10.0.0.0/8"))]
    try await store.add(key)
    try await store.append(
      AuditEntry(
        app: "kept", key: "key1", action: "app.update", object: "kept", address: "::1",
        at: Sample.now))
    _ = try await store.claimSealMark([7])
    let account = Account(
      id: "ada", email: "ada@example.com", name: "Ada", password: "hash", secondFactor: [1],
      grants: [Account.Grant(.admin, app: "kept")], createdAt: Sample.now)
    let link = AccountLink(hash: [1], account: "ada", expiresAt: Sample.now + .seconds(9))
    try await store.add(account, link: link)
    try await store.add(
      AccountSession(
        hash: [2], account: "ada", isConfirmed: true, createdAt: Sample.now,
        expiresAt: Sample.now + .seconds(9), address: "::1", agent: "Safari"))
    _ = try await store.add(
      Passkey(
        id: [3], account: "ada", publicKey: [4], signatureCount: 1, name: "key",
        createdAt: Sample.now))
    let identity = AccountIdentity(issuer: "i", subject: "s")
    _ = try await store.connect(identity, to: "ada", name: nil)
    var filtered = Sample.audience(
      "filtered", app: "kept",
      [Filter(field: .builtIn(.tags), criteria: [.equals("gold")], isNegated: false)])
    filtered.name = "Gold"
    try await store.save(filtered)
    let fixture = StoreFixture(existing: store, "kept")
    try await fixture.update("kept-0") { patch in
      patch.userID = .set("ada")
      patch.tags = .set(["gold"])
      patch.attributes = ["plan": Attribute(kind: .string, value: "gold")]
    }
    try await store.recordOpen(device: "kept-0", app: "kept", at: Sample.now)
    var limits = try await store.limits(app: "kept")
    limits.quiet = QuietHours(from: 1320, to: 480, otherwise: .wait)
    try await store.setLimits(limits, app: "kept")
    try await store.write { db in
      // What no call of a test has set.
      for statement in [
        """
        UPDATE campaigns SET labels = '["sale"]', approval = '{"state":"approved","version":1,
        "submitted_by":"a","submitted_at":1,"decided_by":"b","note":null,"decided_at":2}'
        """,
        "UPDATE devices SET uninstalled_at = \(Sample.now.milliseconds) WHERE id = 'kept-1'",
        "UPDATE sends SET labels = '[\"sale\"]'",
        "UPDATE segments SET quiet = 'wait 0,28800000,1'",
        "UPDATE triggers SET seen = (SELECT devices FROM segments LIMIT 1)",
        """
        UPDATE triggers SET removed = '{"1":{"done":2}}'
        """,
        """
        UPDATE enrollments SET data = '{"item":"shoes"}'
        """,
        """
        UPDATE messages SET campaign = 'campaign', run = 'run-campaign', phase = 'rollout', variant = 'a'
        """,
      ] {
        _ = try db.run(statement, [])
      }
    }
  }
}

/// Changes values behind a store's back.
private struct Editor {
  struct Column {
    var table: String
    var column: String
    var type: String
    var name: String { "\(table).\(column)" }
    /// A value of another type; SQLite stores it where the column's type would convert another one.
    var foreignValue: String { type == "TEXT" ? "x'ff00'" : "'later'" }
  }

  private let db: SQLiteConnection

  init(_ path: String) throws {
    db = try SQLiteConnection(path: path, busyTimeout: .seconds(5))
    try db.execute("PRAGMA foreign_keys = OFF")
  }

  /// The columns of all tables, each with a copy of its table as it is now.
  func columns() throws -> [Column] {
    let tables = try db.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ) { $0.text(0) }
    return try tables.flatMap { table in
      try db.execute("CREATE TEMP TABLE saved_\(table) AS SELECT * FROM main.\(table)")
      return try db.rows("SELECT name, type FROM pragma_table_info('\(table)')") { row in
        Column(table: table, column: row.text(0), type: row.text(1))
      }
    }
  }

  /// Replaces the values of a column by those of an expression.
  ///
  /// - Returns: `false` where there is no value, or where the database refuses it, as for a key.
  func replace(_ column: Column, by sql: String) throws -> Bool {
    do {
      let changed = try db.run(
        """
        UPDATE main.\(column.table) SET \(column.column) = \(sql)
        WHERE \(column.column) IS NOT NULL AND \(column.column) IS NOT \(sql)
        """, [])
      return changed > 0
    } catch {
      return false
    }
  }

  /// Puts the rows of a column's table back.
  func restore(_ column: Column) throws {
    try db.execute(
      """
      DELETE FROM main.\(column.table);
      INSERT INTO main.\(column.table) SELECT * FROM saved_\(column.table)
      """)
  }
}
