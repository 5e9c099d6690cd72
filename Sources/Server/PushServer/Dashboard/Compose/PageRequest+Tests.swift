extension PageRequest {
  /// Finds the device or the test audience to which the user may send a test, and counts it in the user's budget.
  ///
  /// - Throws: ``TestTarget/Refusal`` if nothing would arrive, or if the test is beyond the user's budget.
  func testTarget(_ id: String, needsPush: Bool = true) async throws -> TestTarget {
    try await actions.testTarget(id, needsPush: needsPush, by: actor)
  }
}
