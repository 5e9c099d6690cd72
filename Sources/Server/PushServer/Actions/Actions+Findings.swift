import PushModel
import PushPayload

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
