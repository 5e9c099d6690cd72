// Foundation's additions to strings. https://developer.apple.com/documentation/swift/stringprotocol
public struct CharacterSet: Hashable, Sendable {
  public static var whitespaces: CharacterSet { fatalError() }
  public static var whitespacesAndNewlines: CharacterSet { fatalError() }
}

extension StringProtocol {
  public func contains<T: StringProtocol>(_ other: T) -> Bool { fatalError() }
  public func components<T: StringProtocol>(separatedBy separator: T) -> [String] { fatalError() }
  public func replacingOccurrences<Target: StringProtocol, Replacement: StringProtocol>(
    of target: Target, with replacement: Replacement
  ) -> String { fatalError() }
  public func trimmingCharacters(in set: CharacterSet) -> String { fatalError() }
  public var removingPercentEncoding: String? { fatalError() }
  public var precomposedStringWithCompatibilityMapping: String { fatalError() }
}
