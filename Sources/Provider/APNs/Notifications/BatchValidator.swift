import PushPayload

/// A validator of the pushes of one batch, which checks their common parts once.
struct BatchValidator {
  private let pushes: [APNsNotification]
  private let usesToken: Bool
  /// The last push that was checked in full and has no problem.
  private var valid: APNsNotification?

  init(_ pushes: [APNsNotification], withToken usesToken: Bool) {
    self.pushes = pushes
    self.usesToken = usesToken
  }

  /// The reason why APNs would refuse the push at an index; `nil` if no problem is known.
  ///
  /// The result is that of ``APNsNotification/problem(withToken:)``.
  mutating func problem(at index: Int) -> String? {
    if isKnownValid(at: index) { return nil }
    if let problem = pushes[index].problem(withToken: usesToken) { return problem }
    valid = pushes[index]
    return nil
  }

  /// Whether a push differs from ``valid`` only in fields that are checked here: the device token, the id, and a
  /// payload that is not longer.
  ///
  /// The fields are read one by one, because reading the push as a whole would copy it.
  private func isKnownValid(at index: Int) -> Bool {
    guard let valid else { return false }
    return valid.topic == pushes[index].topic && valid.pushType == pushes[index].pushType
      && valid.priority == pushes[index].priority && valid.expiration == pushes[index].expiration
      && valid.collapseID == pushes[index].collapseID && !pushes[index].deviceToken.isEmpty
      && pushes[index].id.isUUID
      && 1...valid.payload.count ~= pushes[index].payload.count
  }
}
