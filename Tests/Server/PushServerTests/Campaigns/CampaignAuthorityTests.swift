import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The permissions for changes of campaigns", .timeLimit(.minutes(10)))
struct CampaignAuthorityTests {
  /// A change of the campaign with an id, and the permission that it needs.
  struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var needed: Permission
    var make: @Sendable (Actions, String, Actor) async throws -> Void

    init(
      _ name: String, _ needed: Permission,
      _ make: @escaping @Sendable (Actions, String, Actor) async throws -> Void
    ) {
      (testDescription, self.needed, self.make) = (name, needed, make)
    }
  }

  private static let changes = [
    Change("write a campaign", .write) {
      _ = try await $0.createCampaign(BodyValue([:]), repeating: nil, by: $2)
    },
    Change("write a campaign", .write) {
      _ = try await $0.updateCampaign($1, to: BodyValue([:]), by: $2)
    },
    Change("write a campaign", .write) { _ = try await $0.duplicateCampaign($1, by: $2) },
    Change("test a campaign", .write) { actions, id, actor in
      let app = try actor.ownApp()
      let campaign = try await actions.campaign(id, app: app)
      let plan = try CampaignPlan(stored: campaign.document, at: campaign.createdAt)
      let target = try await TestTarget("d0", app: app, at: campaign.createdAt, actions)
      _ = try await actions.sendTest(
        of: plan.messages[0], in: campaign, to: target, repeating: nil, by: actor)
    },
    Change("start a campaign", .write) { try await $0.startCampaign($1, by: $2) },
    Change("pause a campaign", .stop) { try await $0.pauseCampaign($1, by: $2) },
    Change("resume a campaign", .approve) { try await $0.resumeCampaign($1, by: $2) },
    Change("end a campaign", .stop) { try await $0.endCampaign($1, by: $2) },
    Change("discard a campaign", .write) { try await $0.discardCampaign($1, by: $2) },
    Change("submit a campaign", .write) { try await $0.submitCampaign($1, by: $2) },
    Change("approve a campaign", .approve) {
      try await $0.approveCampaign($1, version: 1, by: $2)
    },
    Change("reject a campaign", .approve) {
      try await $0.rejectCampaign($1, version: 1, note: nil, by: $2)
    },
    Change("enroll people in a campaign", .send) {
      _ = try await $0.enrollPeople(
        inCampaign: $1, to: BodyValue("*"), data: nil, repeating: nil, by: $2)
    },
    Change("decide a test", .approve) {
      try await $0.decideRun("none", BodyValue(["variant": .null]), by: $2)
    },
    Change("cancel a run", .stop) { _ = try await $0.cancelRun("none", by: $2) },
    Change("change the limits", .manage) {
      _ = try await $0.replaceLimits(BodyValue([:]), by: $2)
    },
  ]

  /// The refusal of a change by an actor; `nil` if the actor may make the change.
  private func refusal(
    of change: Change, with permissions: Set<Permission>, on id: String, _ all: CampaignFixture
  ) async throws -> String? {
    let key = try await all.fixture.store.keys(app: all.fixture.app.id).first { $0.role == .push }
    let actor = Actor(
      identity: .key(try #require(key)), app: all.fixture.app.id, permissions: permissions,
      address: "127.0.0.1", span: nil)
    do {
      try await change.make(all.fixture.router.actions, id, actor)
    } catch let error as RequestError where error.message.hasPrefix("your role") {
      #expect(error.code == .forbidden)
      return error.message
    } catch {}
    return nil
  }

  @Test("without its permission, a change is refused and nothing is stored", arguments: changes)
  func refused(change: Change) async throws {
    let all = try await CampaignFixture(devices: 1)
    let id = try await all.create()
    let others = Set(Permission.allCases).subtracting([change.needed])
    for permissions in [others, [.see, .seeReports]] {
      #expect(
        try await refusal(of: change, with: permissions, on: id, all)
          == "your role does not allow you to \(change.testDescription); ask an admin of the app")
    }
    let audit = try await all.fixture.store.audit(
      app: all.fixture.app.id, after: nil, limit: 100
    ).elements
    #expect(audit.count { $0.action.hasPrefix("campaign.") } == 1)
    #expect(audit.allSatisfy { $0.action != "limits.update" })
  }

  @Test("its permission alone allows a change", arguments: changes)
  func allowed(change: Change) async throws {
    let all = try await CampaignFixture(devices: 1)
    let id = try await all.create()
    #expect(try await refusal(of: change, with: [change.needed], on: id, all) == nil)
  }
}
