import Markup
import PushModel
import PushPayload
import Testing

@testable import PushServer

/// The jobs are those of the forms of Braze (scheduled and action-based delivery), OneSignal (journeys with entry, exit
/// and re-entry rules) and Mautic (weekdays of an action).
@Suite("The form of recurring and triggered campaigns", .timeLimit(.minutes(10)))
struct CampaignKindsFormTests {
  private static let common: [(String, String)] = [
    ("name", "Reminder"), ("to", "*"), ("holdout", "obey"), ("quiet", "obey"), ("caps", "obey"),
    ("variants", "1"), ("steps", "1"), ("v0_key", "a"), ("v0_share", "100"), ("v0_text", "Hello"),
    ("mode", "all"),
  ]
  private static let weekly: [(String, String)] =
    common + [
      ("sent", "recurring"), ("every_unit", "week"), ("every_days", "mon"), ("every_days", "thu"),
      ("every_time", "09:00"), ("every_clock", "device"), ("every_missed", "skip"),
    ]
  private static let cart: [(String, String)] =
    common + [
      ("sent", "triggered"), ("entry", "event"), ("trigger_event", "cart"),
      ("s0_after", "1"), ("s0_unit", "hours"), ("exit0_event", "bought"), ("again", "after"),
      ("again_after", "7"), ("again_unit", "days"), ("check_at_send", "on"),
    ]

  private static func fields(
    _ base: [(String, String)], _ changes: [(String, String?)]
  ) -> [(String, String)] {
    let names = Set(changes.map(\.0))
    return base.filter { !names.contains($0.0) }
      + changes.compactMap { name, value in value.map { (name, $0) } }
  }

  private func client() async throws -> DashboardClient {
    let all = try await CampaignFixture(devices: 5)
    let client = try await DashboardClient.signedIn(all.fixture, as: .push)
    _ = await client.get(client.path("sends/campaigns/new"))
    return client
  }

  private func post(
    _ client: DashboardClient, _ fields: [(String, String)], action: String = "save"
  ) async -> Fixture.Answer {
    await client.post(client.path("sends/campaigns/new"), fields + [("action", action)])
  }

  private func saved(_ client: DashboardClient) async throws -> Campaign? {
    try await client.fixture.store.campaigns(
      app: client.fixture.app.id, matching: CampaignQuery(""), after: nil, limit: 50
    ).elements.first
  }

  // MARK: Documents

  @Test(
    "what is written in the fields of a schedule becomes `every`",
    arguments: [
      (
        [],
        [
          "every": ["unit": "week", "days": ["mon", "thu"], "time": "09:00", "zone": "device"],
          "missed": "skip",
        ]
      ),
      (
        [
          ("every_unit", "month"), ("every_day", "31"), ("every_clock", "zone"),
          ("every_zone", "Europe/Berlin"), ("every_from", "2100-01-01"),
          ("every_until", "2100-12-31"), ("every_missed", "late"), ("every_late", "2"),
          ("every_late_unit", "hours"),
        ],
        [
          "every": ["unit": "month", "day": 31, "time": "09:00", "zone": "Europe/Berlin"],
          "from": "2100-01-01", "until": "2100-12-31", "missed": "late PT2H",
        ]
      ),
      (
        [("every_unit", "day"), ("every_time", "23:59")],
        ["every": ["unit": "day", "time": "23:59", "zone": "device"], "missed": "skip"]
      ),
    ] as [([(String, String?)], JSONValue)])
  func schedule(changes: [(String, String?)], when: JSONValue) async throws {
    let client = try await client()
    let answer = await post(client, Self.fields(Self.weekly, changes))
    let campaign = try #require(try await saved(client), "\(answer.text)")
    #expect(answer.status == 303 && campaign.kind == .recurring)
    #expect(campaign.document["when"] == when)
  }

  @Test(
    "what is written in the fields of a trigger becomes `when` and `variants`",
    arguments: [
      (
        [],
        [
          "trigger": ["event": "cart"], "after": "PT1H", "exit_on": [["event": "bought"]],
          "again_after": "P7D",
        ]
      ),
      (
        [
          ("trigger_c0_name", "total"), ("trigger_c0_is", "gte"), ("trigger_c0_value", "50"),
          ("trigger_c2_name", "shop"), ("trigger_c2_is", "none"),
          ("trigger_c2_value", "a, \"7\""), ("s0_after", ""), ("exit0_event", nil),
          ("again", "never"), ("check_at_send", nil),
        ],
        [
          "trigger": [
            "event": "cart",
            "where": [
              ["name": "total", "criteria": [["gte": 50]]],
              ["name": "shop", "criteria": ["a", "7"], "not_filter": true],
            ],
          ], "check_at_send": false,
        ]
      ),
      (
        [("entry", "api"), ("s0_after", "0"), ("exit0_event", nil), ("again", "never")],
        ["trigger": "api"]
      ),
    ] as [([(String, String?)], JSONValue)])
  func trigger(changes: [(String, String?)], when: JSONValue) async throws {
    let client = try await client()
    let answer = await post(client, Self.fields(Self.cart, changes))
    let campaign = try #require(try await saved(client), "\(answer.text)")
    #expect(answer.status == 303 && campaign.kind == .triggered)
    #expect(campaign.document["when"] == when)
    #expect(campaign.document["test"] == nil && campaign.document["steps"] == nil)
  }

  @Test("people enter or leave an audience that is chosen by its name")
  func audience() async throws {
    let client = try await client()
    var audience = Audience(
      id: "aud", app: client.fixture.app.id, filters: [], createdAt: client.fixture.clock.now)
    audience.name = "Gold"
    try await client.fixture.store.save(audience)
    let page = await client.get(client.path("sends/campaigns/new?sent=triggered"))
    #expect(page.text.contains("<option value=\"aud\">Gold</option>"))
    let fields = Self.fields(
      Self.cart, [("entry", "enters"), ("entry_audience", "aud"), ("entry_current", "on")])
    #expect(await post(client, fields).status == 303)
    let campaign = try #require(try await saved(client))
    #expect(campaign.document["when"]?["enters"] == "aud")
    #expect(campaign.document["when"]?["current"] == true)
    let review = await client.get(client.path("sends/campaigns/\(campaign.id)"))
    #expect(review.text.contains("Whoever enters “Gold” enters, and who is in it at the start."))
    #expect(try await client.fixture.store.deleteAudience("aud", app: client.fixture.app.id))
    let deleted = await client.get(client.path("sends/campaigns/\(campaign.id)"))
    #expect(deleted.text.contains("Whoever enters an audience that was deleted enters, and who"))
  }

  @Test("quiet hours and caps of a campaign are written, and the app's are used without a word")
  func limits() async throws {
    let client = try await client()
    let fields = Self.fields(
      Self.weekly,
      [
        ("quiet", "own"), ("quiet_from", "21:00"), ("quiet_to", "09:30"), ("quiet_else", "drop"),
        ("caps", "ignore-and-count"),
      ])
    #expect(await post(client, fields).status == 303)
    let campaign = try #require(try await saved(client))
    #expect(
      campaign.document["limits"] == [
        "quiet": ["from": "21:00", "to": "09:30", "else": "drop"], "caps": "ignore",
        "counts": true,
      ])
    let review = await client.get(client.path("sends/campaigns/\(campaign.id)"))
    #expect(review.text.contains("09:00 is in these hours"), "a campaign that nobody gets is told")
  }

  @Test(
    "a document of any kind comes back from the form as it was",
    arguments: [
      [
        "when": [
          "trigger": [
            "event": "cart", "later": 1,
            "where": [
              ["name": "total", "criteria": [["gte": 50.5]]],
              ["name": "size", "criteria": ["7", 7, true], "not_filter": true],
              ["name": "what", "criteria": ["a, b", ["gt": 1]]],
              ["name": "both", "criteria": [["gt": 1, "lt": 5]]],
            ],
          ],
          "exit_on": [
            ["event": "bought"],
            ["event": "cart", "where": [["name": "items", "criteria": [0]]]],
          ],
          "again_after": "P7D", "check_at_send": false, "later": ["x": 1],
        ],
        "steps": [
          [
            "later": 2,
            "variants": [
              ["key": "a", "share": 45, "payload": ["alert": "1a"], "later": 3],
              ["key": "b", "share": 45, "payload": ["alert": "1b"]],
              ["key": "control", "share": 10],
            ],
          ],
          [
            "after": "P1D",
            "variants": [
              ["key": "a", "share": 90, "payload": ["alert": "2a"], "name": "Second"],
              ["key": "control", "share": 10],
            ],
          ],
        ],
      ],
      [
        "when": ["leaves": "aud", "after": "PT90S"],
        "variants": [["key": "a", "share": 100, "payload": ["alert": "Hi"]]],
        "limits": ["quiet": "ignore", "counts": false],
      ],
      [
        "when": ["enters": "aud", "current": true],
        "steps": [["variants": [["key": "a", "share": 100, "payload": ["alert": "Hi"]]]]],
      ],
    ] as [JSONValue])
  func roundTrip(_ members: JSONValue) throws {
    var document = members.object ?? [:]
    document["to"] = "*"
    let now = Timestamp(milliseconds: 1_700_000_000_000)
    let campaign = Campaign(
      id: "c", app: "app", name: "Name", document: .object(document), createdAt: now)
    var written = try CampaignForm(campaign, at: now).document().object ?? [:]
    written["name"] = nil
    #expect(JSONValue.object(written) == .object(document))
  }

  // MARK: Refusals

  @Test(
    "what is wrong is said in the form's words, with a link to the field",
    arguments: [
      ("week", [("every_days", nil)], "every_days_mon", "Choose the days of the week"),
      ("week", [("every_time", "24:00")], "every_time", "Time: enter a time"),
      ("week", [("every_unit", "month"), ("every_day", "0")], "every_day", "from 1 to 31"),
      ("week", [("every_unit", "month"), ("every_day", "32")], "every_day", "from 1 to 31"),
      ("week", [("every_clock", "zone")], "every_zone", "enter one such as Europe/Berlin"),
      (
        "week", [("every_clock", "zone"), ("every_zone", "Europe/Berlim")], "every_zone",
        "is no time zone"
      ),
      (
        "week", [("every_clock", "zone"), ("every_zone", "device")], "every_zone", "is no time zone"
      ),
      ("week", [("every_until", "2026-02-30")], "every_until", "Last day: enter a day"),
      (
        "week", [("every_from", "2100-01-02"), ("every_until", "2100-01-01")], "every_until",
        "before the first one"
      ),
      ("week", [("every_until", "2020-01-01")], "every_until", "No day of this schedule"),
      // phishingclub issue 49: a weekday that is not between the first and the last day. 2100-01-05 is a Tuesday.
      (
        "week",
        [("every_from", "2100-01-05"), ("every_until", "2100-01-06"), ("every_days", "mon")],
        "every_until", "No day of this schedule"
      ),
      (
        "week", [("every_missed", "late"), ("every_late", "4"), ("every_late_unit", "minutes")],
        "every_late", "5 minutes to 12 hours"
      ),
      (
        "week", [("every_missed", "late"), ("every_late", "13"), ("every_late_unit", "hours")],
        "every_late", "5 minutes to 12 hours"
      ),
      (
        "week",
        [
          ("mode", "test"), ("variants", "2"), ("v0_share", "50"), ("v1_key", "b"),
          ("v1_share", "50"), ("v1_text", "B"), ("sample", "20"), ("metric", "opens"),
          ("decide", "hand"), ("no_winner", "best"),
        ], "every_clock", "A test cannot be sent in each device"
      ),
      (
        "week", [("steps", "2"), ("s1_after", "1"), ("v1_key", "a"), ("v1_share", "100")], "sent",
        "Only a triggered campaign has more than one message"
      ),
      ("week", [("quiet", "own"), ("quiet_from", "9")], "quiet_from", "such as 22:00"),
      (
        "week", [("quiet", "own"), ("quiet_from", "09:00"), ("quiet_to", "09:00")], "quiet_to",
        "The whole day cannot be quiet"
      ),
      ("cart", [("trigger_event", nil)], "trigger_event", "enter the name of the event"),
      ("cart", [("trigger_event", "a\"b")], "trigger_event", "is not the name of an event"),
      (
        "cart", [("trigger_c0_name", "total")], "trigger_c0_value", "condition 1: enter a value"
      ),
      (
        "cart", [("trigger_c1_value", "5")], "trigger_c1_name", "condition 2: enter what"
      ),
      (
        "cart",
        [("trigger_c0_name", "total"), ("trigger_c0_is", "gt"), ("trigger_c0_value", "many")],
        "trigger_c0_value", "“many” is not a number"
      ),
      ("cart", [("exit0_event", "cart")], "exit0_event", "they would leave at once"),
      ("cart", [("entry", "leaves")], "entry_audience", "Choose the audience that people leave"),
      (
        "cart", [("entry", "enters"), ("entry_audience", "gone")], "entry_audience",
        "has been deleted"
      ),
      ("cart", [("s0_after", "31"), ("s0_unit", "days")], "s0_after", "1 minute to 30 days"),
      ("cart", [("s0_after", "x")], "s0_after", "1 minute to 30 days"),
      ("cart", [("again_after", "721")], "again_after", "1 minute to 720 days"),
      ("cart", [("again_after", "0")], "again_after", "1 minute to 720 days"),
      (
        "cart",
        [
          ("steps", "2"), ("variants", "2"), ("v1_step", "1"), ("v1_key", "a"),
          ("v1_share", "100"), ("v1_text", "Again"),
        ], "s1_after", "Message 2: enter how long"
      ),
      (
        "cart",
        [
          ("steps", "2"), ("s1_after", "1"), ("variants", "2"), ("v1_step", "1"),
          ("v1_key", "a"), ("v1_share", "90"), ("v1_text", "Again"),
        ], "v1_share", "90 for Message 2, Variant A"
      ),
    ] as [(String, [(String, String?)], String, String)])
  func problems(
    _ base: String, _ changes: [(String, String?)], _ field: String, _ words: String
  ) async throws {
    let client = try await client()
    let page = await post(client, Self.fields(base == "week" ? Self.weekly : Self.cart, changes))
    #expect(page.status == 422)
    let link = page.text.firstMatch(of: /<li><a href="#([^"]+)">([^<]+)<\/a><\/li>/)
    #expect(link?.1 == field[...] && link?.2.contains(words) == true, "\(link?.0 ?? "none")")
    #expect(page.text.contains("id=\"\(field)\""))
    #expect(page.text.contains("<title>Error: New campaign · Martlet</title>"))
    #expect(try await saved(client) == nil)
  }

  @Test("the limits are accepted: the longest waits, the most late, the last day of a month")
  func atTheLimits() async throws {
    for (base, changes) in [
      (
        Self.weekly,
        [("every_missed", "late"), ("every_late", "5"), ("every_late_unit", "minutes")]
      ),
      (
        Self.weekly, [("every_missed", "late"), ("every_late", "12"), ("every_late_unit", "hours")]
      ),
      (Self.weekly, [("every_from", "2100-01-04"), ("every_until", "2100-01-04")]),
      (Self.cart, [("s0_after", "30"), ("s0_unit", "days"), ("again_after", "720")]),
      (
        Self.cart,
        [
          ("s0_after", "1"), ("s0_unit", "minutes"), ("again_after", "1"),
          ("again_unit", "minutes"),
        ]
      ),
    ] as [([(String, String)], [(String, String?)])] {
      let answer = await post(try await client(), Self.fields(base, changes))
      #expect(answer.status == 303, "\(changes): \(answer.text.suffix(400))")
    }
  }

  // MARK: Messages

  @Test("the messages of a triggered campaign may be in-app messages, each as the app shows it")
  func inAppMessages() async throws {
    let client = try await client()
    let fields = Self.fields(
      Self.cart,
      [
        ("kind", "message"), ("steps", "2"), ("s1_after", "1"), ("s1_unit", "days"),
        ("variants", "2"), ("v0_title", "Your cart"), ("v0_life", "7"), ("v0_life_unit", "days"),
        ("v1_step", "1"), ("v1_key", "a"), ("v1_share", "100"), ("v1_title", "Still there"),
      ])
    #expect(await post(client, fields).status == 303)
    let campaign = try #require(try await saved(client))
    let steps = campaign.document["steps"]?.array ?? []
    let messages = steps.compactMap { $0["variants"]?.array?[0]["message"] }
    #expect(messages.map { $0["title"] } == ["Your cart", "Still there"])
    #expect(messages.map { $0["unpublish_after"] } == ["P7D", nil])
    #expect(campaign.document["limits"] == nil)
    let path = client.path("sends/campaigns/\(campaign.id)")
    let review = await client.get(path).text
    #expect(review.contains("5 devices, also those that allow no pushes."))
    #expect(review.contains("Message 1 after 1 hour, then message 2 after 1 day."))
    #expect(!review.contains("Quiet hours") && !review.contains("Frequency caps"))
    #expect(await client.get(path + "/edit").text.contains("value=\"Still there\""))
    let started = await client.post(path, ["action": "start", "version": "1"])
    #expect(started.status == 303, "\(started.text)")
    let live = await client.get(path).text
    for page in [review, live] {
      #expect(page.contains("As the app shows them"))
      #expect(page.contains("Your cart") && page.contains("Still there"))
    }
    #expect(live.contains("and inboxes stop showing those that were published"))
  }

  @Test("messages are added with their variants, removed, and counted, without a script")
  func steps() async throws {
    let client = try await client()
    let added = await post(client, Self.cart, action: "step-add").text
    #expect(
      added.contains("name=\"steps\" value=\"2\"")
        && added.contains("Message 2, wait after message 1"))
    #expect(added.contains("name=\"v1_step\" value=\"1\""))
    #expect(added.contains("id=\"s1_after\"") && added.contains("id=\"variant-add-1\""))
    let two = Self.fields(
      Self.cart,
      [
        ("steps", "2"), ("s1_after", "1"), ("s1_unit", "days"), ("variants", "2"),
        ("v1_step", "1"), ("v1_key", "a"), ("v1_share", "100"), ("v1_text", "Again"),
      ])
    let wider = await post(client, two, action: "variant-add").text
    #expect(wider.contains("name=\"v1_key\" value=\"b\""), "beside the first message's")
    #expect(wider.contains("name=\"v2_step\" value=\"1\"") && wider.contains("Again"))
    let shorter = await post(client, two, action: "step-remove-0").text
    #expect(shorter.contains("name=\"steps\" value=\"1\"") && shorter.contains("Again"))
    #expect(!shorter.contains("Hello") && !shorter.contains("v1_key"))

    #expect(await post(client, two).status == 303)
    let campaign = try #require(try await saved(client))
    #expect(campaign.document["steps"]?.array?.count == 2)
    #expect(campaign.document["steps"]?.array?[0]["after"] == "PT1H")
    #expect(campaign.document["steps"]?.array?[1]["after"] == "P1D")
    let path = client.path("sends/campaigns/\(campaign.id)")
    let review = await client.get(path).text
    #expect(review.contains("Message 1 after 1 hour, then message 2 after 1 day."))
    #expect(review.contains("Who does “bought” gets no further message."))
    #expect(review.contains("Again 7 days after the last message at the earliest."))
    #expect(review.contains("<h3>Message 2, Variant A</h3>"))
    let card = await client.get(path + "/variants/a/card.png?step=2&version=1")
    #expect(card.status == 200 && card.bytes.starts(with: [0x89]))
    #expect(await client.get(path + "/variants/a/card.png?step=3").status == 404)

    var form = CampaignForm(of: .triggered)
    for _ in 1..<CampaignPlan.stepLimit { #expect(form.apply(.addStep) != nil) }
    #expect(form.apply(.addStep) == nil && form.stepCount == CampaignPlan.stepLimit)
    #expect(form.apply(.removeStep(10)) == nil)
    for _ in 1..<CampaignPlan.stepLimit { #expect(form.apply(.removeStep(0)) != nil) }
    #expect(form.apply(.removeStep(0)) == nil && form.stepCount == 1)
  }

  @Test("conditions and events that end it get another row without a script")
  func rows() async throws {
    let client = try await client()
    let filled = Self.fields(
      Self.cart, [("trigger_c0_name", "total"), ("trigger_c0_value", "50")])
    let more = await post(client, filled, action: "condition-add-trigger").text
    #expect(more.contains("id=\"trigger_c1_name\" name=\"trigger_c1_name\""))
    #expect(more.firstMatch(of: /id="trigger_c1_name"[^>]* autofocus/) != nil)
    let exits = await post(client, filled, action: "exit-add").text
    #expect(exits.firstMatch(of: /id="exit1_event"[^>]* autofocus/) != nil)
  }

  // MARK: Review

  @Test("the review lists the next five occurrences, over a change of clocks")
  func occurrences() throws {
    func words(_ every: JSONValue, from day: String, until: String? = nil) throws -> [String] {
      var when: [String: JSONValue] = ["every": every, "from": .string(day)]
      when["until"] = .optional(until)
      let schedule = try CampaignSchedule(BodyValue(.object(when)))
      let now = try #require(CalendarDay(day)).start
      return schedule.next(5, at: now).map { schedule.words(for: $0).markup }
    }
    let weekly: JSONValue = [
      "unit": "week", "days": ["sun"], "time": "02:30", "zone": "Europe/Berlin",
    ]
    let spring = try words(weekly, from: "2026-03-20")
    #expect(spring.count == 5)
    #expect(spring[0].contains("Sunday, 22 March 2026 at 02:30, Europe/Berlin"))
    #expect(
      spring[1].contains("Sunday, 29 March 2026 at 03:30, Europe/Berlin (clocks skip 02:30"))
    #expect(spring[4].contains("Sunday, 19 April 2026 at 02:30"))
    let monthly: JSONValue = ["unit": "month", "day": 31, "time": "09:00", "zone": "device"]
    let months = try words(monthly, from: "2027-01-01", until: "2027-03-31")
    #expect(months.count == 3 && months[1].contains("Sunday, 28 February 2027 at 09:00 on each"))
  }
}
