import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The page of an app's limits", .timeLimit(.minutes(10)))
struct LimitsPagesTests {
  private static let set: [(String, String)] = [
    ("quiet", "own"), ("quiet_from", "22:00"), ("quiet_to", "08:00"), ("quiet_else", "drop"),
    ("cap0_most", "3"), ("cap0_within", "7"), ("cap0_unit", "days"), ("percent", "5"),
  ]

  private func client() async throws -> DashboardClient {
    let client = try await DashboardClient.signedIn(try await Fixture())
    _ = await client.get(client.path("settings/limits"))
    return client
  }

  private func save(
    _ client: DashboardClient, _ changes: [String: String] = [:], version: String? = nil
  ) async throws -> Fixture.Answer {
    let fields = Self.set.filter { changes[$0.0] == nil } + changes.map { ($0.key, $0.value) }
    let current = try await limits(client).version
    return await client.post(
      client.path("settings/limits"),
      fields + [("action", "save"), ("version", version ?? current)])
  }

  private func limits(_ client: DashboardClient) async throws -> AppLimits {
    try await client.fixture.store.limits(app: client.fixture.app.id)
  }

  @Test("limits are written, shown, changed one by one, and ended")
  func changes() async throws {
    let client = try await client()
    let page = try await save(client)
    #expect(page.status == 200, "\(page.text)")
    #expect(
      page.text.contains(
        """
        Saved. Quiet hours from 22:00 to 08:00. At most 3 pushes in 7 days. A holdout of 5 %. \
        Campaigns need no approval.
        """))
    let saved = try await limits(client)
    #expect(saved.quiet == QuietHours(from: 1320, to: 480, otherwise: .drop))
    #expect(saved.caps == [FrequencyCap(most: 3, within: .seconds(7 * 86_400))])
    let form = await client.get(client.path("settings/limits")).text
    #expect(form.contains("value=\"22:00\"") && form.contains("name=\"cap1_most\""))

    #expect(try await save(client, ["percent": "10"]).status == 200)
    #expect(try await limits(client).holdout?.salt == saved.holdout?.salt, "the same people")
    #expect(try await save(client, ["percent": "10", "redraw": "on"]).status == 200)
    #expect(try await limits(client).holdout?.salt != saved.holdout?.salt)
    let none = ["quiet": "none", "cap0_most": "", "cap0_within": "", "percent": ""]
    #expect(try await save(client, none).status == 200)
    #expect(try await limits(client) == AppLimits())
  }

  @Test("campaigns are made to need an approval, and a form without that choice leaves it")
  func approval() async throws {
    let client = try await client()
    let page = try await save(client, ["approval": "required"])
    #expect(page.status == 200 && page.text.contains("Campaigns need an approval."), "\(page.text)")
    #expect(try await limits(client).approval == .required)
    let form = await client.get(client.path("settings/limits")).text
    #expect(form.contains("name=\"approval\" value=\"required\" checked"))
    #expect(try await save(client).status == 200)
    #expect(try await limits(client).approval == .required)
    let every = try await save(client, ["approval": "every_send"])
    #expect(every.text.contains("Every send needs an approval."))
    #expect(try await limits(client).approval == .everySend)
    #expect(try await save(client, ["approval": "perhaps"]).status == 422)
    #expect(try await save(client, ["approval": "none"]).status == 200)
    #expect(try await limits(client).approval == .none)
  }

  @Test("members of the limits without a field are sent back as they are")
  func keeps() throws {
    var limits = AppLimits()
    limits.quiet = QuietHours(from: 60, to: 120, otherwise: .wait)
    let sent = LimitsForm(limits).limits(version: limits.version)
    for name in limits.members.keys where limits.members[name] != .null {
      #expect(sent[name] == limits.members[name], "\(name)")
    }
  }

  @Test(
    "what is wrong is said in the form's words, with a link to the field",
    arguments: [
      (["quiet_from": "22"], "quiet_from", "such as 22:00"),
      (["quiet_to": "24:00"], "quiet_to", "such as 08:00"),
      (["quiet_to": "22:00"], "quiet_to", "The whole day cannot be quiet"),
      (["cap0_most": "0"], "cap0_most", "Frequency cap 1: enter a number of pushes from 1 to 50."),
      (["cap0_most": "51"], "cap0_most", "from 1 to 50"),
      (["cap0_most": ""], "cap0_most", "from 1 to 50"),
      (["cap0_within": "31"], "cap0_within", "from 1 minute to 30 days"),
      (["cap0_within": ""], "cap0_within", "from 1 minute to 30 days"),
      (
        ["cap2_most": "9", "cap2_within": "168", "cap2_unit": "hours"], "cap2_within",
        "Frequency cap 3: another cap has the same time"
      ),
      (["percent": "0"], "percent", "from 1 to 15"),
      (["percent": "16"], "percent", "from 1 to 15"),
    ] as [([String: String], String, String)])
  func problems(_ changes: [String: String], _ field: String, _ words: String) async throws {
    let client = try await client()
    let page = try await save(client, changes)
    #expect(page.status == 422)
    let link = page.text.firstMatch(of: /<li><a href="#([^"]+)">([^<]+)<\/a><\/li>/)
    #expect(link?.1 == field[...] && link?.2.contains(words) == true, "\(link?.0 ?? "none")")
    #expect(page.text.contains("id=\"\(field)\""))
    #expect(page.text.contains("<title>Error: Limits · Martlet</title>"))
    #expect(try await limits(client) == AppLimits())
  }

  @Test("the limits are accepted: 50 pushes, 30 days, five caps, 15 %, a minute of quiet")
  func atTheLimits() async throws {
    let client = try await client()
    var changes = ["percent": "15", "quiet_from": "00:00", "quiet_to": "00:01"]
    for row in 0..<FrequencyCap.ruleLimit {
      changes["cap\(row)_most"] = "50"
      changes["cap\(row)_within"] = String(30 - row)
      changes["cap\(row)_unit"] = "days"
    }
    let page = try await save(client, changes)
    #expect(page.status == 200, "\(page.text)")
    #expect(try await limits(client).caps.count == FrequencyCap.ruleLimit)
    #expect(!page.text.contains("cap5_most"), "no sixth row is offered")
  }

  @Test("somebody who has read older limits does not overwrite newer ones unseen")
  func twoPeople() async throws {
    let client = try await client()
    let old = try await limits(client).version
    #expect(try await save(client).status == 200)
    let late = try await save(client, ["percent": "9"], version: old)
    #expect(late.status == 409 && late.text.contains("Somebody else has changed these limits"))
    #expect(late.text.contains("At most 3 pushes in 7 days."), "says what they are now")
    #expect(late.text.contains("value=\"9\""), "keeps what was written")
    #expect(try await limits(client).holdout?.percent == 5)
    let now = try await limits(client).version
    #expect(late.text.contains("name=\"version\" value=\"\(now)\""))
    #expect(try await save(client, ["percent": "9"], version: now).status == 200)
  }

  @Test("PUT replaces all limits, and with a version only those that were read")
  func put() async throws {
    let fixture = try await Fixture()
    func limits() async -> JSONValue? {
      await fixture.request("GET", "/v6/limits").json["limits"]
    }
    func put(_ members: JSONValue) async -> Fixture.Answer {
      await fixture.request(
        "PUT", "/v6/limits", role: .admin, body: JSONValue.object(["limits": members]).text)
    }
    let version = try #require(await limits()?["version"]?.string)
    #expect(await put(["holdout": ["percent": 5], "version": .string(version)]).status == 200)
    let stale = await put(["caps": [], "version": .string(version)])
    #expect(stale.status == 409 && stale.text.contains("read them again"))
    let newer = try #require(await limits()?["version"]?.string)
    #expect(newer != version && newer.count == version.count)
    #expect(await put(["caps": [["most": 1, "within": "P1D"]]]).status == 200, "no version asks")
    #expect(await limits()?["holdout"] == .null, "a limit that is not named ends")
  }

  @Test("only who may change settings sees the page")
  func roles() async throws {
    let client = try await DashboardClient.signedIn(try await Fixture(), as: .push)
    #expect(await client.get(client.path("settings/limits")).status == 403)
  }
}
