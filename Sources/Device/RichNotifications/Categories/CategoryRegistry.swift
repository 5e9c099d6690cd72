/// Registers categories for buttons that payloads describe.
///
/// The engine waits for the result until its deadline at most. A notification whose category is not
/// registered is shown without buttons.
public protocol CategoryRegistry: Sendable {
  /// Adds a category to the registered ones.
  ///
  /// - Parameters:
  ///   - category: The category to register.
  ///   - completion: Called at most once, on any thread, possibly before this method returns. It is not
  ///     called if the system does not respond.
  func register(
    _ category: ButtonCategory, completion: @escaping @Sendable (CategoryOutcome) -> Void)
}

/// The outcome of a registration.
public struct CategoryOutcome: Hashable, Sendable {
  /// Whether the category is registered.
  public struct Result: RawRepresentable, Hashable, Sendable {
    /// The code, such as `registered`.
    public let rawValue: String

    /// Creates a result.
    ///
    /// - Parameter rawValue: Lower-case words joined by hyphens.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The category was written, and the system lists it.
    public static let registered = Result(rawValue: "registered")
    /// A category with the same buttons was registered before; nothing was written.
    public static let alreadyThere = Result(rawValue: "already-there")
    /// The category was written three times, and the system still does not list it.
    ///
    /// It may still appear before the notification is shown, so the content names it all the same.
    public static let notVisible = Result(rawValue: "not-visible")
    /// The registered categories could not be read, so nothing was written.
    public static let unreadable = Result(rawValue: "unreadable")
  }

  /// Whether the category is registered.
  public var result: Result
  /// The category identifier to set in the content.
  public var identifier: String

  /// Creates an outcome.
  ///
  /// - Parameters:
  ///   - result: Whether the category is registered.
  ///   - identifier: The category identifier to set in the content.
  public init(_ result: Result, identifier: String) {
    self.result = result
    self.identifier = identifier
  }
}
