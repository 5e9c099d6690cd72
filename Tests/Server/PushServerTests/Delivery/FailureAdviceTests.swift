import Testing

@testable import PushServer

@Suite("Advice on failures")
struct FailureAdviceTests {
  @Test(
    "each reason for which the server itself sends no push has words and advice",
    arguments: ServerMetrics.dropReasons.subtracting(["Capped"]).sorted())
  func advice(reason: String) {
    #expect(FailureAdvice.title(reason) != reason)
    #expect(!FailureAdvice.text(reason).hasPrefix("There is no advice"))
  }
}
