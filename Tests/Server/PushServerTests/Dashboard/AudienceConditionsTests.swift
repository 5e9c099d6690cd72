import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The conditions of an audience in a form")
struct AudienceConditionsTests {
  private static let target: JSONValue = [
    "all": [
      ["name": "tags", "criteria": ["gold"]],
      ["name": "badge", "criteria": [["gt": 1, "lt": 5]]],
    ],
    "any": [
      [["name": "country", "criteria": ["DE"]], ["name": "city", "criteria": ["Berlin"]]],
      "5f1d7f3a9b6c4e0011223344",
    ],
    "except": [
      ["received": "5f1d7f3a9b6c4e0011223366", "opened": true],
      ["received": "5f1d7f3a9b6c4e0011223377"], [["name": "tags", "criteria": ["staff"]]],
    ],
  ]

  private func conditions() throws -> AudienceConditions {
    try #require(AudienceConditions(target: Self.target))
  }

  @Test("a target is the same after the form, with groups, exclusions, and what no row can show")
  func roundTrip() throws {
    let conditions = try conditions()
    let read = AudienceConditions(Form(conditions.fields))
    #expect(read == conditions)
    let target = try TargetChoice(BodyValue(try read.json()))
    let given = try TargetChoice(BodyValue(Self.target))
    #expect(target.filters == given.filters)
    #expect(target.any.elements.map(\.part) == given.any.elements.map(\.part))
    #expect(target.except.elements.map(\.part) == given.except.elements.map(\.part))
    #expect(conditions.problems.isEmpty && conditions.complete == conditions)
    #expect(AudienceConditions(target: ["all": [], "later": 1]) == nil)
    #expect(AudienceConditions(target: "*") == nil)
  }

  static let changes: [(action: String, focus: String?, groups: Int, rows: Int)] = [
    ("who_add_all", "who_all_2_field", 5, 6), ("who_remove_all_0", "who_add_all", 5, 4),
    ("who_remove_all_2", nil, 5, 5), ("who_add_any0", "who_any0_2_field", 5, 6),
    ("who_add_any1", nil, 5, 5), ("who_remove_any0_1", "who_add_any0", 5, 4),
    ("who_group_any_conditions", "who_any2_0_field", 6, 6),
    ("who_group_except_audience", "who_except3_audience", 6, 5),
    ("who_group_any_received", "who_any2_send", 6, 5),
    ("who_remove_except0", "who_group_except_conditions", 4, 5),
    ("who_remove_any9", nil, 5, 5), ("who_remove_any9_0", nil, 5, 5), ("who_show", nil, 5, 5),
  ]

  @Test("a button changes rows and groups, and says what gets the focus", arguments: changes)
  func change(action: String, focus: String?, groups: Int, rows: Int) throws {
    var conditions = try conditions()
    let change = try #require(ConditionChange(action: action))
    #expect(conditions.apply(change) == focus)
    #expect(conditions.any.count + conditions.except.count == groups)
    #expect(conditions.allRows.count == rows)
    #expect(AudienceConditions(Form(conditions.fields)) == conditions)
  }

  @Test(
    "the name of another action is not a change",
    arguments: [
      "", "who", "who_", "save", "who_group_all_conditions", "who_group_any_x", "who_remove_all",
      "who_remove_all_x", "who_add_all_1", "page-add",
    ])
  func otherAction(_ action: String) {
    #expect(ConditionChange(action: action) == nil)
  }

  @Test("rows and groups are added up to the limits of a target")
  func limits() {
    var conditions = AudienceConditions()
    for _ in 0...Target.filterLimit { _ = conditions.apply(.addRow(list: "all")) }
    #expect(conditions.rows.count == Target.filterLimit)
    for _ in 0...TargetParts.limit { _ = conditions.apply(.addGroup(.any, .audience)) }
    #expect(conditions.any.count == TargetParts.limit)
  }

  @Test("what is not complete is a problem at its field, and is left out of the count")
  func incomplete() {
    var conditions = AudienceConditions()
    conditions.rows = [
      ConditionRow(), ConditionRow(field: "tags"), ConditionRow(field: "tags", value: "a"),
    ]
    conditions.any = [.audience(""), .conditions([ConditionRow()])]
    conditions.except = [.received(send: "", opened: nil)]
    #expect(
      conditions.problems.map(\.field)
        == ["who_all_1_value", "who_any0_audience", "who_any1_0_field", "who_except0_send"])
    #expect(conditions.problems.first?.message == "Tags: Enter a value.")
    #expect(conditions.complete.rows == [conditions.rows[2]])
    #expect(conditions.complete.any.isEmpty && conditions.complete.except.isEmpty)
    #expect(!conditions.isEmpty && AudienceConditions().isEmpty)
  }

  @Test("an audience is said in words")
  func words() throws {
    var audience = Audience(
      id: "", app: "", filters: [], createdAt: Timestamp(milliseconds: 0))
    #expect(audience.words(naming: [:]) == "All devices")
    let choice = try TargetChoice(BodyValue(Self.target))
    audience.filters = choice.filters
    audience.any = choice.any.elements.map(\.part)
    audience.except = choice.except.elements.map(\.part)
    let names = [
      "5f1d7f3a9b6c4e0011223344": "Walkers", "5f1d7f3a9b6c4e0011223366": "Spring sale",
    ]
    #expect(
      audience.words(naming: names) == """
        Tags include gold and Badge is more than 1 and less than 5, and either Country is DE and City is Berlin, \
        or in “Walkers”, but not received “Spring sale” and opened it, nor received 5f1d7f3a9b6c4e0011223377, \
        nor Tags include staff
        """)
  }
}
