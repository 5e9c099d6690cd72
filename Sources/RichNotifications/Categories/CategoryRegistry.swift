/// Makes the system know a category before a notification names it.
///
/// Answers by callback and never waits on its own, so the engine bounds it with its deadline. A
/// notification whose category is unknown is shown without buttons and otherwise unharmed.
public protocol CategoryRegistry: Sendable {
  /// Registers a category beside all that are there.
  ///
  /// - Parameters:
  ///   - category: What to register.
  ///   - completion: Called at most once, from any thread, perhaps before this returns; never where
  ///     the system does not answer.
  func register(
    _ category: ButtonCategory, completion: @escaping @Sendable (CategoryOutcome) -> Void)
}

/// What became of a registration.
public struct CategoryOutcome: Hashable, Sendable {
  /// How it ended.
  public struct Result: RawRepresentable, Hashable, Sendable {
    /// The name as reports print it.
    public let rawValue: String

    /// Names an ending.
    ///
    /// - Parameter rawValue: Lower-case words joined by hyphens.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It was written, and the system lists it.
    public static let registered = Result(rawValue: "registered")
    /// A category with the same buttons was there; nothing was written.
    public static let alreadyThere = Result(rawValue: "already-there")
    /// It was written as often as is sensible, and the system does not list it.
    ///
    /// It may still appear before the notification is shown, so naming it does no harm.
    public static let notVisible = Result(rawValue: "not-visible")
    /// The registered categories could not be read, and so nothing was written.
    public static let unreadable = Result(rawValue: "unreadable")
  }

  /// How it ended.
  public var result: Result
  /// What the content's `categoryIdentifier` shall be.
  public var identifier: String

  /// Makes an outcome.
  ///
  /// - Parameters:
  ///   - result: How it ended.
  ///   - identifier: What the content's `categoryIdentifier` shall be.
  public init(_ result: Result, identifier: String) {
    self.result = result
    self.identifier = identifier
  }
}
