public import Foundation

/// Apple's `OSLog`, a log of a subsystem and a category.
///
/// Source: Apple, `OSLog`.
public final class OSLog: NSObject, Sendable {
  let category: String
  private let isDisabled: Bool

  private init(category: String, isDisabled: Bool) {
    self.category = category
    self.isDisabled = isDisabled
  }

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - subsystem: The subsystem, which is not printed.
  ///   - category: The category.
  public convenience init(subsystem: String, category: String) {
    self.init(category: category, isDisabled: false)
  }

  /// Creates a log of a category that Apple's tools know.
  ///
  /// - Parameters:
  ///   - subsystem: The subsystem, which is not printed.
  ///   - category: The category.
  public convenience init(subsystem: String, category: Category) {
    self.init(category: category.rawValue, isDisabled: false)
  }

  /// The log without subsystem and category.
  public static let `default` = OSLog(category: "", isDisabled: false)
  /// A log that writes nothing.
  public static let disabled = OSLog(category: "", isDisabled: true)

  /// Whether messages of a level are recorded.
  ///
  /// On an iPhone the levels `default`, `error` and `fault` always are. Here the others are if `OS_ACTIVITY_DT_MODE` is
  /// set.
  ///
  /// - Parameter type: The level.
  /// - Returns: Whether they are.
  public func isEnabled(type: OSLogType) -> Bool {
    !isDisabled && (LogOutput.isOn || (type != .info && type != .debug))
  }

  /// Always `false`: signposts are not recorded.
  public var signpostsEnabled: Bool {
    sayNoSignposts()
    return false
  }

  /// A category that Apple's tools know.
  public struct Category: Hashable, Sendable {
    let rawValue: String
    /// Points of interest.
    public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
    /// Signposts that are recorded only while a tool records them.
    public static let dynamicTracing = Category(rawValue: "DynamicTracing")
    /// Signposts with backtraces, that are recorded only while a tool records them.
    public static let dynamicStackTracing = Category(rawValue: "DynamicStackTracing")
  }
}
