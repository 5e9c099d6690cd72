import PushStore

extension PageRequest {
  /// Finds the device or the test audience to which the user may send a test, and counts it in the user's budget.
  ///
  /// - Throws: ``TestTarget/Refusal`` if nothing would arrive, or if the test is beyond the user's budget.
  func testTarget(_ id: String, needsPush: Bool = true) async throws -> TestTarget {
    let target = try await TestTarget(id, app: app.id, at: now, needsPush: needsPush, api.actions)
    try await api.actions.count(target, app: app.id, by: key.id, maySend: may(.send))
    return target
  }
}
