import PushPayload
import Testing

@Suite("The rule of App Transport Security for all hosts")
struct ArbitraryLoadsTests {
  @Test(
    "every host is allowed only if the key is true and no finer key is present",
    arguments: [
      ([:], false), (["NSAllowsArbitraryLoads": false], false),
      (["NSAllowsArbitraryLoads": true], true),
      (["NSAllowsArbitraryLoads": true, "NSExceptionDomains": true], true),
      (["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": true], false),
      (["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": false], false),
      (["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsForMedia": false], false),
      (["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsInWebContent": false], false),
    ] as [([String: Bool], Bool)])
  func finerKeys(security: [String: Bool], isAllowed: Bool) {
    #expect(ArbitraryLoads.areAllowed(by: security) { $0 } == isAllowed)
  }
}
