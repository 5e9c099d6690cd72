import PushModel
import PushPayload
import Testing

@testable import PushServer

extension CampaignFixture {
  func happen(
    _ name: String, on device: String, _ more: [String: JSONValue] = [:], to other: Router? = nil
  ) async {
    let event = ["name": .string(name)].merging(more) { $1 }
    await record([.object(event)], on: device, to: other)
  }

  func happen(_ names: [String], on device: String) async {
    await record(names.map { ["name": .string($0)] }, on: device, to: nil)
  }

  private func record(_ events: [JSONValue], on device: String, to other: Router?) async {
    let body: JSONValue = ["events": .array(events)]
    let answer = await fixture.request(
      "POST", "/v6/devices/\(device)/events", body: body.text, to: other)
    #expect(answer.status == 202, "\(answer.text)")
  }

  func counts(of campaign: String) async throws -> EnrollmentCounts {
    try #require(
      try await fixture.store.enrollmentCounts(ofCampaign: campaign, app: fixture.app.id))
  }

  /// The notifications of all steps of a campaign.
  func sends(of campaign: String) async throws -> [Send] {
    var sends: [Send] = []
    for run in try await fixture.store.runs(ofCampaign: campaign, app: fixture.app.id, limit: 10) {
      sends += try await fixture.store.sends(ofRun: run.id, app: fixture.app.id)
    }
    return sends
  }
}
