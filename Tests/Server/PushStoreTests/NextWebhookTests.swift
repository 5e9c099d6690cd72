import PushPayload
import TestSupport
import Testing

@testable import PushModel
@testable import PushStore

@Suite("The webhook to be called next", .timeLimit(.minutes(10)))
struct NextWebhookTests {
  private let directory = TemporaryFolder()

  private static let statements = [
    NextWebhook.appsQuery(at: Sample.now), NextWebhook.query(app: 1, at: Sample.now),
    NextWebhook.leasingStatement(
      webhook: "w", app: 1, owner: "a", at: Sample.now, until: Sample.now),
  ]

  @Test("SQLite searches calls by their app and webhook, and sorts none", arguments: 0..<3)
  func sqlitePlan(place: Int) async throws {
    let store = try SQLitePushStore(path: directory.path("plan.sqlite"))
    let statement = Self.statements[place]
    let steps = try await store.write { db in
      try db.changedRows("EXPLAIN QUERY PLAN \(statement)") { row in
        row.skip("id")
        row.skip("parent")
        row.skip("notused")
        return try row.text("detail")
      }
    }
    let lease = "webhook_calls_leased (app=? AND webhook=? AND due_at>?)"
    #expect(steps.contains { $0.contains(lease) }, "\(steps)")
    let others = steps.filter { step in
      !step.contains("(app=? AND webhook=?") && !step.contains("(rowid=?)")
        && !step.contains("SUBQUERY")
    }
    // The webhooks are few: those of all apps are passed, and those of one app are sorted.
    let expected = [["SCAN webhooks"], ["SEARCH webhooks", "USE TEMP B-TREE"], []]
    #expect(others.count == expected[place].count, "\(steps)")
    for (step, start) in zip(others, expected[place]) {
      #expect(step.hasPrefix(start + " "), "\(steps)")
    }
  }

  @Test("apps take turns if more have a webhook to call than one lease tries")
  func manyApps() async throws {
    let store = try SQLitePushStore(path: directory.path("apps.sqlite"))
    let count = NextWebhook.appLimit + 2
    for number in 0..<count {
      let fixture = try await StoreFixture(store, "app\(number)")
      try await store.add(
        Webhook(
          id: "w\(number)", app: fixture.app, url: "https://e.x", events: ["made"],
          sealedSecret: [], createdAt: Sample.now))
      _ = try await store.enqueue(
        WebhookNotice(app: fixture.app, event: "made", data: [:], at: Sample.now))
    }
    var tried: Set<Int64> = []
    for time in 0..<3 {
      let apps = try await store.read { db in
        try NextWebhook.apps(at: Sample.now + .milliseconds(time), db)
      }
      #expect(apps.count == NextWebhook.appLimit)
      tried.formUnion(apps)
    }
    #expect(tried.count == count)
  }
}
