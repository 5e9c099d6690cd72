/// The rule of App Transport Security for hosts that no exception names.
///
/// Source: Apple, "NSAllowsArbitraryLoads".
package enum ArbitraryLoads {
  /// The keys beside which the system ignores `NSAllowsArbitraryLoads`, whatever their values are.
  private static let finerKeys = [
    "NSAllowsLocalNetworking", "NSAllowsArbitraryLoadsInWebContent",
    "NSAllowsArbitraryLoadsForMedia",
  ]

  /// Returns whether every host may be loaded without TLS.
  ///
  /// `security` is the dictionary `NSAppTransportSecurity` of an Info.plist, and `isTrue` says whether a value of it is the
  /// Boolean true.
  package static func areAllowed<Value>(
    by security: [String: Value], isTrue: (Value) -> Bool
  ) -> Bool {
    guard !finerKeys.contains(where: { security.keys.contains($0) }) else { return false }
    return security["NSAllowsArbitraryLoads"].map(isTrue) ?? false
  }
}
