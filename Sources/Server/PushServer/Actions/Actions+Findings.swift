import PushPayload
import PushStore

extension Actions {
  /// The devices of an audience that a campaign can reach: a push needs a token, a message does not.
  func devices(
    of audience: Audience, for plan: CampaignPlan, at now: Timestamp
  ) async throws(StoreError) -> DeviceNumbers {
    plan.isInApp
      ? try await audiences.members(of: audience, at: now)
      : try await audiences.devices(of: audience, at: now)
  }
}

extension Actions {
  /// The findings of `martlet lint` in a payload that is not sent yet, and the problems with the names that
  /// its texts read.
  ///
  /// `members` are the devices that would get it.
  func findings(
    in payload: BodyValue, composed sample: (composer: Composer, sample: [UInt8]),
    for members: DeviceNumbers, app: String
  ) async throws -> JSONValue {
    let findings = try payload.findings(in: sample, at: clock.now())
    let texts = Personalization(payload.value, at: payload.path)
    let problems = try await audiences.problems(of: texts, members: members, app: app)
    return .array((findings + problems.map(PushFinding.init)).map(\.json))
  }
}
