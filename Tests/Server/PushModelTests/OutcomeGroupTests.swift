import Testing

@testable import PushModel

@Suite("Groups of outcomes")
struct OutcomeGroupTests {
  private static func outcome(
    _ result: Outcome.Result, _ status: Int?, _ reason: String? = nil, atHour hour: Int64 = 0
  ) -> Outcome {
    Outcome(
      device: 1, result: result, status: status, reason: reason,
      time: Timestamp(milliseconds: hour * 3_600_000 + 5))
  }

  @Test("alike outcomes that follow one another are one group; a field or an hour begins another")
  func runs() {
    let outcomes = [
      Self.outcome(.sent, 200), Self.outcome(.sent, 200), Self.outcome(.sent, 200, atHour: 1),
      Self.outcome(.rejected, 400, "BadTopic", atHour: 1),
      Self.outcome(.rejected, 400, "BadPath", atHour: 1),
      Self.outcome(.rejected, nil, "BadPath", atHour: 1), Self.outcome(.sent, 200),
    ]
    let groups = [OutcomeGroup](outcomes)
    #expect(groups.map(\.count) == [2, 1, 1, 1, 1, 1])
    #expect(groups.map(\.end) == [0, 2, 3, 4, 5, 6].map { outcomes[$0].end })
    #expect(groups.map(\.hour.milliseconds) == [0, 3_600_000, 3_600_000, 3_600_000, 3_600_000, 0])
    #expect(groups.count { $0.result == .sent } == 4)
    #expect(groups.count { $0.status == 400 } == 2)
  }

  @Test("no outcomes have no group")
  func none() { #expect([OutcomeGroup]([]).isEmpty) }

  @Test("the tally of groups counts whom APNs answered for and whom it called invalid")
  func tally() {
    let outcomes =
      [Self.outcome(.sent, 200), Self.outcome(.uninstalled, 410, "Unregistered")]
      + ["BadDeviceToken", "DeviceTokenNotForTopic", "ExpiredToken", "Unregistered", "TooLarge"]
      .map { Self.outcome(.rejected, 400, $0) } + [Self.outcome(.rejected, nil, "NoToken")]
    let tally = InvalidationGuard.Tally([OutcomeGroup](outcomes))
    #expect(tally == .init(answered: 7, invalid: 5))
  }
}
