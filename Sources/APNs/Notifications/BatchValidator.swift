import PushPayload

/// Checks the pushes of a batch one after the other; what they have alike is checked once.
struct BatchValidator {
  private let pushes: [APNsNotification]
  private let usesToken: Bool
  /// The last one that was checked whole, and has no flaw.
  private var sound: APNsNotification?

  init(_ pushes: [APNsNotification], withToken usesToken: Bool) {
    self.pushes = pushes
    self.usesToken = usesToken
  }

  /// Why APNs would refuse one, as ``APNsNotification/problem(withToken:)`` says it.
  mutating func flaw(_ index: Int) -> String? {
    if isSound(index) { return nil }
    if let problem = pushes[index].problem(withToken: usesToken) { return problem }
    sound = pushes[index]
    return nil
  }

  /// Whether what is its own has no flaw, and the rest is that of one without.
  ///
  /// Read field by field, for the whole would be copied.
  private func isSound(_ index: Int) -> Bool {
    guard let sound else { return false }
    return sound.topic == pushes[index].topic && sound.pushType == pushes[index].pushType
      && sound.priority == pushes[index].priority && sound.expiration == pushes[index].expiration
      && sound.collapseID == pushes[index].collapseID && !pushes[index].deviceToken.isEmpty
      && pushes[index].id.isUUID
      && 1...sound.payload.count ~= pushes[index].payload.count
  }
}
