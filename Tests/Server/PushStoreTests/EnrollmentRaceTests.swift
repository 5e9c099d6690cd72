import PushPayload
import TestSupport
import Testing
import _PostgreSQL

@testable import PushModel
@testable import PushStore

@Suite(
  "An event while another node takes the step of its person", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct EnrollmentRaceTests {
  /// What another node has made of the enrollment when the event that ends it is stored.
  struct Step: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var assignments: String
    var left: [Int: [Enrollment.Outcome: Int]]
  }

  @Test(
    "a person whose last message was sent has not left, and one who waits for the next one has",
    arguments: [
      Step(
        testDescription: "the last step",
        assignments: "due_at = NULL, outcome = 'done', sent_at = 1, ended_at = 1",
        left: [1: [.done: 1]]),
      Step(
        testDescription: "a step before the last one", assignments: "step = 2, sent_at = 1",
        left: [2: [.exited: 1]]),
    ])
  func exit(step: Step) async throws {
    try await PostgreSQLCluster().use { cluster in
      let fixture = try await StoreFixture(
        try await PostgreSQLPushStore(url: cluster.url, leaseClock: .caller), "race")
      try await fixture.register(1)
      try await fixture.start("cart", Sample.cart)
      try await fixture.happen("cart", on: "race-0")
      let other = try PostgreSQLConnection(url: cluster.url)
      try other.execute("BEGIN; UPDATE enrollments SET \(step.assignments)")
      async let event = fixture.happen("bought", on: "race-0")
      let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
      while try await cluster.query(waiting) != "1" {}
      try other.execute("COMMIT")
      #expect(try await event)
      let counts = try await fixture.store.enrollmentCounts(
        ofCampaign: fixture.id("cart"), app: fixture.app)
      #expect(counts?.ended == step.left && counts?.waiting == [:])
    }
  }
}
