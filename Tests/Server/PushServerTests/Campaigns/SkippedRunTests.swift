import PushModel
import Testing

@testable import PushServer

@Suite("The errors after which a run is skipped")
struct SkippedRunTests {
  @Test(
    "a run is skipped after a refusal that would come again",
    arguments: [
      RequestError.Code.malformed, .invalid, .notFound, .conflict, .erased, .tooLarge,
      .unsupportedType,
    ])
  func skipped(code: RequestError.Code) {
    let reason = CampaignRunner.reason(toSkipAfter: RequestError(code, "the template is gone"))
    #expect(reason == "the template is gone")
  }

  @Test(
    "a refusal of the one who asks, and a fault of the server, leave the run to be tried again",
    arguments: [
      RequestError.Code.unauthenticated, .forbidden, .outdated, .tooMany, .damaged, .fault,
      .notOffered, .unavailable, RequestError.Code("new"),
    ])
  func kept(code: RequestError.Code) {
    #expect(CampaignRunner.reason(toSkipAfter: RequestError(code, "no")) == nil)
  }

  @Test(
    "of the store's errors, only damage skips a run",
    arguments: [
      (StoreError.Code.damaged, "no" as String?), (.forbidden, nil), (.conflict, nil),
      (.notFound, nil), (.unavailable, nil),
    ])
  func stored(code: StoreError.Code, reason: String?) {
    #expect(CampaignRunner.reason(toSkipAfter: StoreError(code, "no")) == reason)
  }

  @Test("a cancellation leaves the run to be tried again")
  func cancelled() {
    #expect(CampaignRunner.reason(toSkipAfter: CancellationError()) == nil)
  }
}
