import APNsTestSupport
import APNs
import Testing

@Suite("Retry advice")
struct RetryTests {
  static func answer(_ status: Int, _ reason: APNsReason?) -> APNsRetry {
    APNsOutcome(kind: .answered, status: status, reason: reason, apnsID: "x")
      .retry(hasCollapseID: true)
  }

  @Test(
    "six reasons and every other fault of the push are final",
    arguments: [
      (400, APNsReason.badDeviceToken), (400, .deviceTokenNotForTopic), (403, .forbidden),
      (410, .expiredToken), (410, .unregistered), (413, .payloadTooLarge), (400, .badTopic),
      (403, .invalidProviderToken), (404, .badPath), (418, APNsReason(rawValue: "New")),
    ])
  func final(status: Int, reason: APNsReason) {
    #expect(Self.answer(status, reason) == .never)
  }

  @Test(
    "a temporary error may be retried after the delay that Apple documents",
    arguments: [
      (500, APNsReason.internalServerError, 900), (503, .serviceUnavailable, 900),
      (599, APNsReason(rawValue: "New"), 900), (503, .shutdown, 1), (429, .tooManyRequests, 60),
      (429, .tooManyProviderTokenUpdates, 1200), (403, .expiredProviderToken, 1),
      (403, .unrelatedKeyIdInToken, 1), (400, .idleTimeout, 1),
    ])
  func passing(status: Int, reason: APNsReason, seconds: Int) {
    let retry = Self.answer(status, reason)
    #expect(retry.isAllowed)
    #expect(retry.delay(afterAttempts: 1) == .seconds(seconds))
    #expect(retry.delay(afterAttempts: 2) == .seconds(min(2 * seconds, 3600)))
    #expect(retry.delay(afterAttempts: .max) == .seconds(3600))
  }

  @Test("an accepted push is not retried")
  func accepted() { #expect(Self.answer(200, nil) == .never) }

  @Test("a push that was maybe sent is retried only with a collapse id")
  func maybe() {
    let outcome = APNsOutcome(kind: .maybeSent, apnsID: "x")
    #expect(outcome.retry(hasCollapseID: false) == .never)
    #expect(outcome.retry(hasCollapseID: true).isAllowed)
  }

  @Test("a push that was never sent may be retried at any time, unless it is invalid")
  func never() {
    var outcome = APNsOutcome(kind: .neverSent, apnsID: "x")
    #expect(outcome.retry(hasCollapseID: false).isAllowed)
    outcome.isInvalid = true
    #expect(outcome.retry(hasCollapseID: true) == .never)
  }
}
