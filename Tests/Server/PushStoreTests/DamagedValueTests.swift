import Foundation
import NetworkAddresses
import PushPayload
import TestSupport
import Testing

@testable import PushModel
@testable import PushStore

/// Every column of every table is damaged and aged, one after the other, and read by every call that reads.
@Suite("A stored value that is damaged, or that a newer version wrote", .timeLimit(.minutes(10)))
struct DamagedValueTests {
  private static let directory = TemporaryFolder()

  /// The columns that have more than a number, a text or bytes. The columns of the others are checked for their type.
  private static let forms: KeyValuePairs<String, ValueForm> = [
    "apps.identity": .word, "keys.role": .word, "keys.allow": .texts, "account_roles.role": .word,
    "account_links.maker": .word,
    "devices.tags": .texts, "devices.attributes": .object, "devices.events": .object,
    "devices.open_hours": .packed, "devices.settings": .object, "audiences.filters": .objects,
    "sends.payload": .json, "sends.state": .word, "sends.activity_push": .object,
    "sends.labels": .texts, "sends.phase": .word, "segments.devices": .packed,
    "segments.quiet": .packed, "batches.devices": .packed, "batches.outcomes": .packed,
    "receipts.event": .word, "receipts.trace": .object, "send_hours.kind": .word,
    "messages.content": .json,
    "messages.phase": .word, "webhooks.events": .texts, "activities.event": .word,
    "kept_activities.document": .object, "channels.storage": .word,
    "reload_tokens.type": .word, "campaigns.kind": .word,
    "campaigns.state": .word,
    "campaigns.labels": .texts, "campaigns.approval": .object, "campaign_versions.document": .json,
    "runs.state": .word, "runs.report": .json, "run_devices.devices": .packed,
    "limits.quiet": .packed, "limits.caps": .packed, "push_ledger.pushes": .packed,
    "triggers.definition": .object, "triggers.removed": .object, "triggers.seen": .packed,
    "enrollments.outcome": .word, "enrollments.data": .json, "enrollments.person": .word,
    "templates.payload": .json, "template_versions.payload": .json,
    "imports.state": .word, "imports.settings": .json, "imports.report": .json,
  ]

  /// The columns by which rows are found, joined or added up: another value finds no row, or another sum.
  private static let links: Set<String> = [
    "app", "send", "message", "account", "subject", "run", "page", "trigger_number", "id", "kind",
    "campaign", "targeted", "sent", "count",
  ]

  @Test("is an error of what reads it, and never more rights, more devices or an earlier state")
  func sqlite() async throws {
    let path = Self.directory.path("damaged.sqlite")
    try await Self.check(try SQLitePushStore(path: path)) { try SQLiteDamageEditor(path) }
  }

  @Test(
    "is the same on PostgreSQL, whose types refuse some of them",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func postgreSQL() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url, leaseClock: .caller)
      try await Self.check(store) { try PostgreSQLDamageEditor(cluster.url) }
    }
  }

  private static func check(
    _ store: some SQLPushStore, editing: () throws -> any DamageEditor
  ) async throws {
    try await AppRows.fill(store)
    try await fillRest(store)
    let before = try await reads(of: store).mapValues { try $0.get() }
    for (name, elements) in before { #expect(!elements.isEmpty, "\(name) reads nothing") }
    let forms = Dictionary(uniqueKeysWithValues: Self.forms.map { ($0.key, $0.value) })
    let editor = try editing()
    var (tries, refused, impossible, unread) = (0, 0, 0, [String]())
    let columns = try editor.columns()
    try editor.copyTables(of: columns)
    #expect(Set(forms.keys).isSubset(of: columns.map(\.name)))
    for column in columns {
      let form = forms[column.name]
      let isFound = links.contains(column.column) || column.name == "triggers.state"
      let foreign = isFound ? nil : editor.foreignValue(of: column)
      let damages =
        (foreign.map { [(kind: "another type", sql: $0)] } ?? [])
        + (form?.damages(of: column, by: editor) ?? [])
      for damage in damages {
        switch editor.replace(column, by: damage.sql) {
        case .nothing: continue
        case .refused:
          impossible += 1
          continue
        case .made: tries += 1
        }
        var hasFailed = false
        for (name, result) in try await reads(of: store) {
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
    print(
      "\(columns.count) columns, \(impossible) damages that the database refuses, \(tries) others, "
        + "\(refused) refused, 0 wider")
    print("found by no read: \(unread.joined(separator: "; "))")
    #expect(tries > 0)
    #expect(try await reads(of: store).mapValues { try $0.get() } == before)
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
    let link = AccountLink(
      hash: [1], account: "ada", by: .commandLine, expiresAt: Sample.now + .seconds(9))
    try await store.add(account, link: link)
    try await store.add(
      AccountSession(
        hash: [2], account: "ada", isConfirmed: true, createdAt: Sample.now,
        expiresAt: Sample.now + .seconds(9), address: "::1", agent: "Safari"))
    _ = try await store.add(
      Passkey(
        id: [3], account: "ada", publicKey: [4], signatureCount: 1, name: "key",
        createdAt: Sample.now), in: [2])
    let identity = AccountIdentity(issuer: "i", subject: "s")
    _ = try await store.connect(identity, to: "ada", name: nil)
    // The connection has removed the first one.
    _ = try await store.add(link)
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
        "UPDATE imports SET report = '{}', problem = 'none', uploaded_by = 'ada'",
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
        _ = try db.run("\(raw: statement)")
      }
    }
  }
}
