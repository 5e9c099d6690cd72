import PushStore

extension PageRequest {
  /// Finds the device or the test audience to which the user may send a test.
  ///
  /// - Throws: ``TestTarget/Refusal`` where nothing would arrive, or more than the user may send.
  func testTarget(_ id: String, needsPush: Bool = true) async throws -> TestTarget {
    let target = try await TestTarget(id, app: app.id, at: now, needsPush: needsPush, api)
    // Any audience can be marked as one for tests.
    guard may(.send) || target.reached <= TestTarget.limitOfAuthors else {
      throw TestTarget.Refusal(
        status: 403,
        message:
          "Your role may test on \(TestTarget.limitOfAuthors) devices at most; this audience has \(target.reached)."
      )
    }
    return target
  }
}

extension TestTarget {
  /// The most devices of a test by a person who may not send to an audience.
  static let limitOfAuthors = 50
}
