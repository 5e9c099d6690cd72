/// Settling pushes without an answer of their own, and sending them again.
extension Transport {
  /// Settles all waiting pushes, once APNs has refused the credentials on several connections in a row.
  ///
  /// Each further push would bring another refusal and another connection, which Apple treats as an attack. The
  /// pushes themselves are valid: they can be sent again once the clock or the key is corrected.
  func settleRefused(_ reason: APNsReason) {
    guard credentials.areRefused else { return }
    let advice = reason.cure.map { ": \($0)" } ?? ""
    settleUnconnected("APNs refuses the credentials, \(reason)\(advice)")
  }

  /// Settles all waiting pushes if no connection takes pushes; their sender decides whether to try again.
  func settleUnconnected(_ message: String) {
    guard !pool.hasUsable else { return }
    finishWaiting(message)
  }

  /// Settles all waiting pushes as never sent.
  func finishWaiting(_ message: String) {
    while let (_, pushes) = queue.next(upTo: 100) {
      for push in pushes { finish(push, .neverSent(message)) }
    }
  }

  /// Queues a push again that APNs did not process, or settles it after too many refusals.
  func putBack(_ push: PushReference) {
    guard !queue.putBack(push) else { return }
    finish(push, .neverSent(SendQueue.refused(SendQueue.maxRefusals)))
  }

  /// Settles pushes without an answer: waiting ones as never sent, and those in flight as maybe sent.
  func giveUp(_ pushes: [PushReference], _ message: String) {
    let keys = Set(pushes.map(PushKey.init))
    for connection in pool.connections.values {
      for (push, result) in connection.expire(keys, message) { finish(push, result) }
    }
    for push in pushes { finish(push, .neverSent(message)) }
    pump()
  }
}
