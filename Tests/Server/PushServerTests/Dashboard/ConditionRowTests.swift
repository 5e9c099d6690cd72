import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The rows of the builder of conditions")
struct ConditionRowTests {
  /// Filters of the API, with the row's comparison and its words; `nil` if no row can show them.
  static let filters: [(json: JSONValue, comparison: ConditionComparison?, words: String)] = [
    (["name": "tags", "criteria": ["news"]], .equals, "Tags include news"),
    (
      ["name": "tags", "criteria": ["news"], "not_filter": true], .differs,
      "Tags do not include news"
    ),
    (["name": "tags", "criteria": ["a", "b"]], .any, "Tags include any of a, b"),
    (["name": "tags", "criteria": ["a, b"]], .equals, "Tags include a, b"),
    (["name": "tags", "criteria": ["a, b", "c"]], nil, "Tags is a, b or c"),
    (["name": "custom.string.plan", "criteria": [["exists": true]]], .isSet, "plan is set"),
    (
      ["name": "custom.string.plan", "criteria": [["exists": true]], "not_filter": true],
      .isNotSet, "plan is not set"
    ),
    (["name": "custom.string.plan", "criteria": [" gold"]], nil, "plan is  gold"),
    (["name": "tags", "criteria": ["a\nb\u{85}"]], nil, "Tags is a\nb\u{85}"),
    (["name": "custom.integer.age", "criteria": [["gte": 18]]], .gte, "age is at least 18"),
    (
      ["name": "custom.integer.age", "criteria": [["gte": 18, "lte": 30]]], .between,
      "age is between 18 and 30"
    ),
    (
      ["name": "custom.integer.age", "criteria": [["gt": 18, "lte": 30]]], nil,
      "age is more than 18 and at most 30"
    ),
    (
      ["name": "custom.integer.age", "criteria": [["gt": 18], 3]], nil,
      "age is more than 18 or 3"
    ),
    (["name": "custom.float.score", "criteria": [0.5]], .equals, "score is 0.5"),
    (["name": "custom.boolean.vip", "criteria": [true]], .yes, "vip is yes"),
    (["name": "push_enabled", "criteria": [false]], .no, "Opted in is no"),
    (
      ["name": "push_enabled", "criteria": [true], "not_filter": true], nil, "Opted in is not yes"
    ),
    (
      ["name": "last_opened", "criteria": [["gte": "-7d"]]], .last,
      "Last opened is in the last 7 days"
    ),
    (
      ["name": "last_opened", "criteria": [["gte": "-1h"]], "not_filter": true], .notLast,
      "Last opened is not in the last 1 hour"
    ),
    (
      ["name": "last_opened", "criteria": [["lt": "-30d"]]], .ago,
      "Last opened is more than 30 days ago"
    ),
    (
      ["name": "last_opened", "criteria": [["lte": "-30d"]]], nil,
      "Last opened is at most 30 days ago"
    ),
    (
      ["name": "custom.date.born", "criteria": [["gte": "-7d"]]], nil,
      "born is at least 7 days ago"
    ),
    (
      ["name": "custom.date.ends", "criteria": [["gte": "now", "lte": "+2w"]]], .next,
      "ends is in the next 2 weeks"
    ),
    (
      ["name": "created_at", "criteria": [["gte": "2026-01-02"]]], .gte,
      "First seen is on or after 2026-01-02"
    ),
    (
      ["name": "created_at", "criteria": [["lt": "2026-01-02T10:30:00Z"]]], .lt,
      "First seen is before 2026-01-02T10:30:00.000Z"
    ),
    (["name": "app_version", "criteria": [["gte": "1.10"]]], .gte, "App version is at least 1.10"),
    (["name": "app_version", "criteria": ["1.9"]], .equals, "App version is 1.9"),
    (["name": "events.plays", "criteria": [["gte": 1]]], .happened, "plays happened"),
    (["name": "events.plays", "criteria": [0]], .never, "plays never happened"),
    (
      ["name": "events.plays", "criteria": [["gte": 3]]], .gte, "plays happened at least 3 times"
    ),
    (
      ["name": "location", "criteria": [["lat": 52.5, "lng": 13.4, "radius": 2000]]], .within,
      "Location is within 2000 m of 52.5, 13.4"
    ),
    (["name": "os_name", "criteria": ["iOS"]], .equals, "Platform is iOS"),
    (["name": "sid", "criteria": ["x"]], .equals, "sid is x"),
    (
      ["name": "user_id", "criteria": .array((1...21).map { .string("u\($0)") })], nil,
      "User ID is u1 or u2 or u3 or u4 or u5 or 16 more"
    ),
  ]

  @Test("a filter is shown by a row or in words, and is the same after it", arguments: filters)
  func shown(json: JSONValue, comparison: ConditionComparison?, words: String) throws {
    let filter = try Filter(BodyValue(json))
    let row = ConditionRow(filter)
    #expect(row.isKept == (comparison == nil))
    if let comparison { #expect(row.comparison == comparison) }
    #expect(row.words == words)
    #expect(filter.words == words)
    #expect(try row.filter() == filter)
    #expect(row.problem == nil)
    #expect(row.fitting == row)
  }

  @Test("no filter is changed by the builder", arguments: 0..<20)
  func unharmed(seed: UInt64) throws {
    var random = RandomAudience(seed: seed)
    for _ in 0..<100 {
      for filter in random.filters() {
        let row = ConditionRow(filter)
        var conditions = AudienceConditions()
        conditions.rows = [row]
        let read = try #require(AudienceConditions(Form(conditions.fields)).rows.first)
        #expect(try read.filter() == filter, "\(filter.stored)")
        #expect(row.fitting == row, "\(filter.stored)")
        #expect(!row.words.isEmpty)
      }
    }
  }

  static let mistakes: [(row: ConditionRow, message: String, part: String)] = [
    (ConditionRow(field: "tags"), "Enter a value.", "value"),
    (
      ConditionRow(field: "custom.integer.age", value: "old"), "“old” is not a whole number.",
      "value"
    ),
    (
      ConditionRow(field: "custom.integer.age", comparison: .between, value: "1"),
      "Enter the end of the range.", "extra"
    ),
    (
      ConditionRow(field: "last_opened", comparison: .last, value: "0", extra: "d"),
      "Enter a whole number from 1 to 100000.", "value"
    ),
    (
      ConditionRow(field: "last_opened", comparison: .last, value: "100001", extra: "d"),
      "Enter a whole number from 1 to 100000.", "value"
    ),
    (
      ConditionRow(field: "location", comparison: .within, value: "Berlin", extra: "5"),
      "Enter a latitude and a longitude", "value"
    ),
    (ConditionRow(field: "colour", value: "x"), "The field", "value"),
    (ConditionRow(field: "kept", value: "{"), "The value", "value"),
    (ConditionRow(field: "os_version", comparison: .gte, value: "x"), "must be a version", "value"),
  ]

  @Test("a mistake in a row is said at its part", arguments: mistakes)
  func mistake(row: ConditionRow, message: String, part: String) throws {
    let problem = try #require(row.problem)
    #expect(problem.message.contains(message) && !problem.message.contains("$"), "\(problem)")
    #expect(problem.part == part)
  }

  @Test("a period takes 1 to 100000 of its units", arguments: ["1", "100000"])
  func period(value: String) {
    let row = ConditionRow(field: "last_opened", comparison: .ago, value: value, extra: "w")
    #expect(row.problem == nil)
  }

  @Test("another field has a comparison and a unit of its own")
  func fitting() {
    var row = ConditionRow(field: "last_opened", comparison: .equals, value: "3")
    #expect(row.fitting.comparison == .last && row.fitting.extra == "d")
    row = ConditionRow(field: "tags", comparison: .last, value: "3", extra: "d")
    #expect(row.fitting.comparison == .equals && row.fitting.extra == "")
    for field in ["tags", "location", "events.plays", "custom.boolean.vip", "app_version"] {
      let fitting = ConditionRow(field: field, comparison: .next).fitting
      #expect(fitting.kind.comparisons.contains(fitting.comparison))
    }
  }

  @Test("every built-in field is in one group of the menu, but the second name of the platform")
  func groups() {
    let grouped = Filter.BuiltIn.groups.flatMap(\.fields)
    #expect(grouped.count == Set(grouped).count)
    #expect(Set(grouped) == Set(Filter.BuiltIn.allCases).subtracting([.osName]))
    #expect(Set(grouped.map(\.title)).count == grouped.count)
  }
}
