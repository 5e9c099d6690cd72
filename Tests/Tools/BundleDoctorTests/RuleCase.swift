import BundleDoctor
import BundleFixtures
import Foundation
import Testing

/// A rule with a layout that breaks it and a similar one that does not.
struct RuleCase: Sendable, CustomTestStringConvertible {
  let code: String
  let bad: @Sendable (inout AppLayout) -> Void
  let good: @Sendable (inout AppLayout) -> Void

  init(
    _ code: String, bad: @escaping @Sendable (inout AppLayout) -> Void,
    good: @escaping @Sendable (inout AppLayout) -> Void = { _ in }
  ) {
    self.code = code
    self.bad = bad
    self.good = good
  }

  var testDescription: String { code }

  static let groups = "com.apple.security.application-groups"
  static let category = "UNNotificationExtensionCategory"
}
