import PushModel

/// The budget of test devices for people and keys that may send nothing without an approval.
///
/// Any audience can be marked as one for tests, so tests without a budget could reach everybody.
enum TestBudget {
  /// The largest number of devices in one test.
  static let devicesPerTest = 50
  /// The largest number of devices in all tests of one clock hour.
  static let devicesPerHour = 100
}

extension Actions {
  /// Finds the device or the test audience with an id, and counts it in the budget of its sender.
  ///
  /// - Throws: ``RequestError`` at ``TestTarget/field`` if nothing would arrive, or if the test is beyond the budget.
  func testTarget(_ id: String, by actor: Actor) async throws -> TestTarget {
    let app = try actor.ownApp()
    let target = try await TestTarget(id, app: app, at: clock.now(), self)
    try await count(target, app: app, by: actor.id, maySend: actor.may(.send))
    return target
  }

  /// Counts a test in the budget of its sender.
  ///
  /// - Parameters:
  ///   - test: The test that is about to be sent.
  ///   - app: The app of the test.
  ///   - actor: The id of the person or the key.
  ///   - maySend: Whether the actor may send to any number of devices without an approval.
  /// - Throws: ``RequestError`` at ``TestTarget/field`` if the test is beyond the budget.
  func count(_ test: TestTarget, app: String, by actor: String, maySend: Bool) async throws {
    if maySend, try await store.limits(app: app).approval != .everySend { return }
    guard test.reached <= TestBudget.devicesPerTest else {
      throw TestTarget.refusal(
        .forbidden,
        "Without an approval you test on \(TestBudget.devicesPerTest) devices at most; this audience has \(test.reached)."
      )
    }
    let now = clock.now()
    guard
      try await store.useTestBudget(
        of: actor, devices: test.reached, limit: TestBudget.devicesPerHour, at: now)
    else {
      throw TestTarget.refusal(
        .tooMany,
        "Without an approval you test on \(TestBudget.devicesPerHour) devices an hour. Wait until the next hour begins, or test on fewer devices.",
        wait: 3600 - Int(now.milliseconds / 1000 % 3600))
    }
  }

  /// Whether an app sends more than approved campaigns.
  func sendsDirectly(app: String) async throws -> Bool {
    try await store.limits(app: app).approval != .everySend
  }

  /// - Throws: ``RequestError`` `.forbidden` if the app sends only approved campaigns.
  func checkSendsDirectly(app: String) async throws {
    if try await sendsDirectly(app: app) { return }
    throw RequestError(
      .forbidden,
      "every send of this app needs an approval; make a campaign, which one person submits in the"
        + " dashboard and another one approves")
  }
}
