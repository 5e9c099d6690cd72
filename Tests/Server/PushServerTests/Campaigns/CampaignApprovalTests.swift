import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The approval of campaigns", .timeLimit(.minutes(10)))
struct CampaignApprovalTests {
  /// An app whose campaigns need an approval, with a draft.
  private func draft() async throws -> (all: CampaignFixture, id: String) {
    let all = try await CampaignFixture(devices: 3)
    #expect(await limit(all, ["approval": "required"])["approval"] == "required")
    return (all, try await all.create())
  }

  @discardableResult
  private func limit(_ all: CampaignFixture, _ limits: JSONValue) async -> JSONValue {
    let body: JSONValue = ["limits": limits]
    return await all.fixture.request("PUT", "/v6/limits", role: .admin, body: body.text)
      .json["limits"] ?? .null
  }

  /// Posts to a campaign; a submission comes from the push key and a decision from the admin key.
  private func post(
    _ action: String, _ id: String, _ body: JSONValue = [:], as role: APIKey.Role = .push,
    in all: CampaignFixture
  ) async -> Fixture.Answer {
    await all.fixture.request(
      "POST", "/v6/campaigns/\(id)/\(action)", role: role, body: body.text)
  }

  private func approval(_ id: String, _ all: CampaignFixture) async -> JSONValue {
    await all.get("campaigns/\(id)")["campaign"]?["approval"] ?? .null
  }

  @Test("where it is required, a campaign starts once another key has approved it")
  func wholeWay() async throws {
    let (all, id) = try await draft()
    let early = await post("start", id, in: all)
    #expect(early.status == 409 && early.error.contains("needs an approval of version 1"))
    #expect(await post("approve", id, ["version": 1], as: .admin, in: all).status == 409)
    #expect(await post("submit", id, in: all).status == 200)
    #expect(await post("start", id, in: all).status == 409)
    let own = await post("approve", id, ["version": 1], in: all)
    #expect(own.status == 403 && own.error.contains("another key or person must approve it"))
    let approved = await post("approve", id, ["version": 1], as: .admin, in: all)
    #expect(approved.json["campaign"]?["approval"]?["state"] == "approved", "\(approved.text)")
    // A repeat changes nothing, and takes nothing back.
    all.fixture.clock.advance(by: .seconds(60))
    #expect(await post("approve", id, ["version": 1], as: .admin, in: all).text == approved.text)
    #expect(await post("submit", id, in: all).text == approved.text)
    let keys = try await all.fixture.store.keys(app: all.fixture.app.id)
    let known = await approval(id, all)
    for (member, role) in [("submitted_by", APIKey.Role.push), ("decided_by", .admin)] {
      #expect(known[member]?.string == keys.first { $0.role == role }?.id)
    }
    #expect(await post("start", id, in: all).json["campaign"]?["state"] == "live")
    #expect(await post("submit", id, in: all).status == 409)
    await all.deliver()
    #expect(!all.received.isEmpty)
  }

  @Test("an approval that was taken back while the campaign is started does not start it")
  func rejectedMeanwhile() async throws {
    let all = try await CampaignFixture(devices: 1)
    let id = try await all.create()
    var start = CampaignStart(runs: [])
    start.needsApproval = true
    await #expect {
      _ = try await all.fixture.store.apply(
        .start, toCampaign: id, app: all.fixture.app.id, start: start, at: all.fixture.clock.now)
    } throws: { error in
      (error as? StoreError)?.message.contains("needs an approval of version 1") == true
    }
    #expect(await all.get("campaigns/\(id)")["campaign"]?["state"] == "draft")
  }

  @Test("an edit takes the approval away, and what was not read is not approved")
  func edited() async throws {
    let (all, id) = try await draft()
    _ = await post("submit", id, in: all)
    _ = await post("approve", id, ["version": 1], as: .admin, in: all)
    let changed = await all.fixture.request(
      "PUT", "/v6/campaigns/\(id)", body: CampaignFixture.document(["name": "Winter"]).text)
    #expect(changed.json["campaign"]?["approval"]?["state"] == "outdated")
    let start = await post("start", id, in: all)
    #expect(start.status == 409 && start.error.contains("needs an approval of version 2"))
    _ = await post("submit", id, in: all)
    let old = await post("approve", id, ["version": 1], as: .admin, in: all)
    #expect(old.status == 409 && old.error.contains("its version is 2; read it again"))
    #expect(await post("approve", id, ["version": 2], as: .admin, in: all).status == 200)
    #expect(await post("start", id, in: all).status == 200)
    // A copy is another campaign, which nobody has read.
    let copy = await post("duplicate", id, in: all).json["campaign"]
    #expect(copy?["approval"] == .null)
    #expect(await post("start", copy?["id"]?.string ?? "", in: all).status == 409)
  }

  @Test("a rejection says why, and the draft is submitted again")
  func rejected() async throws {
    let (all, id) = try await draft()
    let nothing = await post("reject", id, ["version": 1], as: .admin, in: all)
    #expect(nothing.status == 409 && nothing.error.contains("was not submitted"))
    _ = await post("submit", id, in: all)
    let longest = String(repeating: "é", count: CampaignApproval.noteLimit)
    let tooLong: JSONValue = ["version": 1, "note": .string(longest + "e")]
    #expect(await post("reject", id, tooLong, as: .admin, in: all).status == 422)
    let body: JSONValue = ["version": 1, "note": .string(longest)]
    _ = await post("reject", id, body, as: .admin, in: all)
    let known = await approval(id, all)
    #expect(known["state"] == "rejected" && known["note"]?.string == longest)
    #expect(await post("approve", id, ["version": 1], as: .admin, in: all).status == 409)
    #expect(await post("start", id, in: all).status == 409)
    _ = await post("submit", id, in: all)
    let again = await approval(id, all)
    #expect(again["state"] == "submitted" && again["note"] == .null)
    // Whoever has submitted it may withdraw it, and an approval can be taken back before the start.
    #expect(await post("reject", id, ["version": 1], in: all).status == 200)
    _ = await post("submit", id, in: all)
    _ = await post("approve", id, ["version": 1], as: .admin, in: all)
    _ = await post("reject", id, ["version": 1], as: .admin, in: all)
    #expect(await post("start", id, in: all).status == 409)
  }

  @Test("where it is not required, campaigns start without it; limits that do not name it keep it")
  func optional() async throws {
    let (all, id) = try await draft()
    let kept = await limit(all, ["caps": [["most": 3, "within": "P7D"]]])
    #expect(kept["approval"] == "required")
    #expect(await post("start", id, in: all).status == 409)
    #expect(await limit(all, ["approval": "none"])["approval"] == "none")
    #expect(await post("start", id, in: all).status == 200)
    let body: JSONValue = ["limits": ["approval": "none"]]
    // Who is to ask for approval does not decide whether it is needed.
    #expect(await all.fixture.request("PUT", "/v6/limits", body: body.text).status == 403)
  }

  @Test(
    "recurring and triggered campaigns need it as well",
    arguments: [
      [
        "when": ["every": ["unit": "day", "time": "09:00", "zone": "UTC"]] as JSONValue
      ],
      ["when": ["trigger": ["event": "cart"]]],
    ])
  func kinds(members: [String: JSONValue]) async throws {
    let (all, _) = try await draft()
    let id = try await all.create(members)
    #expect(await post("start", id, in: all).status == 409)
    _ = await post("submit", id, in: all)
    _ = await post("approve", id, ["version": 1], as: .admin, in: all)
    #expect(await post("start", id, in: all).status == 200)
  }

  @Test("the audit log names who has submitted and approved, and webhooks can be told")
  func audited() async throws {
    let (all, id) = try await draft()
    _ = await post("submit", id, in: all)
    _ = await post("submit", id, in: all)
    _ = await post("approve", id, ["version": 1], as: .admin, in: all)
    let entries = try await all.fixture.store.audit(
      app: all.fixture.app.id, after: nil, limit: 100
    ).elements
    let actions = entries.filter { $0.object == id }.map(\.action)
    #expect(actions == ["campaign.approve", "campaign.submit", "campaign.create"])
    #expect(entries.first?.key != entries.dropFirst().first?.key)
    for action in actions.prefix(2) { #expect(WebhookEvent.all.contains(action)) }
  }

  // MARK: The page

  @Test("the page submits, approves and starts, and offers each step to whom it is for")
  func page() async throws {
    let (all, id) = try await draft()
    let author = try await DashboardClient.signedIn(all.fixture, as: .push)
    let approver = try await DashboardClient.signedIn(all.fixture, as: .admin)
    let path = author.path("sends/campaigns/\(id)")
    let first = await author.get(path).text
    #expect(first.contains("It starts only once a second person or key has approved it."))
    #expect(first.contains("Submit for approval") && !first.contains("Start campaign"))
    #expect(await author.post(path, ["action": "submit", "version": "1"]).status == 303)
    let waiting = await author.get(path).text
    #expect(waiting.contains("It was submitted by you") && waiting.contains("Withdraw"))
    #expect(!waiting.contains("value=\"approve\""))
    let own = await author.post(path, ["action": "approve", "version": "1"])
    #expect(own.status == 403 && own.text.contains("another key or person must approve it"))
    #expect(await author.get(author.path("sends/campaigns")).text.contains("waits for approval"))
    let reading = await approver.get(path).text
    #expect(reading.contains("the push key of 2023-11-14") && reading.contains("value=\"approve\""))
    let stale = await approver.post(path, ["action": "approve", "version": "2"])
    #expect(stale.status == 409)
    let rejection = ["action": "reject", "version": "1", "note": "Too <loud>"]
    #expect(await approver.post(path, rejection.map { ($0.key, $0.value) }).status == 303)
    #expect(await author.get(path).text.contains("<blockquote>Too &lt;loud&gt;</blockquote>"))
    #expect(await author.post(path, ["action": "submit", "version": "1"]).status == 303)
    _ = await approver.get(path)
    #expect(await approver.post(path, ["action": "approve", "version": "1"]).status == 303)
    let approved = await author.get(path).text
    #expect(approved.contains("Approved by the admin key") && approved.contains("Start campaign"))
    let start = [("action", "start"), ("version", "1"), ("confirm", all.fixture.app.name)]
    #expect(await author.post(path, start).status == 303)
    #expect(await author.get(path).text.contains("live"))
  }
}
