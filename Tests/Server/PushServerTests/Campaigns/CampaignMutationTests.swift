import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("Mutated documents of campaigns", .timeLimit(.minutes(30)))
struct CampaignMutationTests {
  static let rounds = Tier.mutations(300, of: 1000, cost: 10)

  private static let now = Timestamp(milliseconds: 1_700_000_000_000)

  /// Documents with every member that one may have.
  static let documents: [JSONValue] = times.map { when -> JSONValue in
    [
      "to": [
        "all": [["name": "tags", "criteria": ["gold"]]],
        "except": ["5f1d7f3a9b6c4e0011223355", ["received": "5f1d7f3a9b6c4e0011223366"]],
      ],
      "when": when,
      "variants": [
        ["key": "a", "share": 45, "payload": ["alert": "Hello {{ name | default: 'you' }}"]],
        [
          "key": "b", "share": 45, "name": "B",
          "payload": ["alert": ["title": "T", "body": "B"]],
        ],
        ["key": "control", "share": 10],
      ],
      "test": when["at"] == "now"
        ? ["sample": 20, "metric": "conversions", "decide_after": "PT4H", "no_winner": "best"]
        : .null,
      "goals": [["event": "bought", "within": "P3D"]],
      "limits": ["per_second": 500, "holdout": "obey"],
    ]
  }

  private static let times: [JSONValue] = [
    ["at": "2023-11-27T09:00:00Z", "local_time": true], ["at": "now"],
    ["every": ["unit": "day", "time": "02:30", "zone": "Europe/Berlin"], "missed": "late PT2H"],
    [
      "every": ["unit": "week", "days": ["mon", "sun"], "time": "09:00", "zone": "device"],
      "from": "2023-12-01", "until": "2024-03-01",
    ],
    ["every": ["unit": "month", "day": 31, "time": "23:59", "zone": "UTC"], "missed": "skip"],
  ]

  @Test("what is read is as its own rules say, and what is refused is refused with a path")
  func mutations() throws {
    for document in Self.documents { try Self.check(document) }
    var mutation = PayloadMutation(seed: 24)
    var (accepted, refused) = (0, 0)
    for round in 0..<Self.rounds {
      let document = mutation.mutate(Self.documents[round % Self.documents.count])
      do {
        try Self.check(document)
        accepted += 1
      } catch let error as RequestError {
        refused += 1
        #expect([400, 422].contains(error.status) && error.message.hasPrefix("$.campaign"))
      }
    }
    #expect(accepted > 0 && refused > 0)
  }

  /// Reads a document, and checks what was read.
  private static func check(_ document: JSONValue) throws {
    let plan = try CampaignPlan(BodyValue(document, at: "$.campaign"), at: now)
    #expect(plan.variants.reduce(plan.control) { $0 + $1.share } == 100)
    #expect(plan.split.arms.last?.end == CampaignBuckets.count)
    let stored = try CampaignPlan(stored: document, at: now + .days(400))
    #expect(stored.schedule == plan.schedule && stored.at == plan.at)
    guard let schedule = plan.schedule else { return }
    var day = schedule.firstDay(at: now)
    #expect(day != nil)
    var last = now + .milliseconds(-1)
    for _ in 0..<5 {
      guard let found = day else { break }
      let moments = schedule.moments(of: found)
      #expect(moments.lowerBound > last && schedule.rule.has(found))
      #expect((schedule.from ?? found) <= found && found <= schedule.until ?? found)
      last = moments.lowerBound
      day = schedule.next(after: found, at: last).day
    }
  }
}
