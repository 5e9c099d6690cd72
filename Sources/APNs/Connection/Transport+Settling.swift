/// Pushes whose way ends, or begins anew, without an answer of their own.
extension Transport {
  /// Whether an answer was about the connection or its token, so that the push goes out once more.
  func goesRoundOnce(_ reason: APNsReason, _ token: ProviderTokenSource.Token?) -> Bool {
    switch reason {
    case .expiredProviderToken:
      // Its connection cannot be repaired by another token.
      identity.tokens?.replace(token, now: configuration.now()) ?? false
    case .shutdown, .idleTimeout, .unrelatedKeyIdInToken, .tooManyProviderTokenUpdates: true
    default: false
    }
  }

  /// Settles what waits once APNs has refused the credentials on several connections in a row.
  ///
  /// Every push would bring a refusal and a connection more, which Apple takes for an attack. The pushes
  /// themselves are without fault: with a clock or a key that was put right they may be sent.
  func settleRefused(_ reason: APNsReason) {
    guard fruitless >= Self.maxFruitless else { return }
    let advice = reason.cure.map { ": \($0)" } ?? ""
    settleUnconnected("APNs refuses the credentials, \(reason)\(advice)")
  }

  /// Settles what waits where no connection takes it: its sender decides whether to wait on.
  func settleUnconnected(_ why: String) {
    guard !connections.values.contains(where: \.takesPushes) else { return }
    finishWaiting(why)
  }

  func finishWaiting(_ why: String) {
    while let (_, pushes) = queue.next(upTo: 100) {
      for push in pushes { finish(push, .neverSent(why)) }
    }
  }

  func putBack(_ push: PushReference) {
    guard !queue.putBack(push) else { return }
    finish(push, .neverSent(SendQueue.refused(SendQueue.maxRefusals)))
  }

  /// Ends pushes without an answer: never sent where they wait, maybe sent where they are in flight.
  func giveUp(_ pushes: [PushReference], _ why: String) {
    let places = Set(pushes.map(PushKey.init))
    for connection in connections.values {
      for (push, result) in connection.expire(places, why) { finish(push, result) }
    }
    for push in pushes { finish(push, .neverSent(why)) }
    pump()
  }
}
