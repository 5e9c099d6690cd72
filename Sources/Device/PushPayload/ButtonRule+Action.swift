extension ButtonRule {
  /// What a tap on a button does, and what the button needs for it.
  public struct Action: Hashable, Sendable {
    /// Whether a tap opens the button's URL.
    public var opensURL: Bool
    /// The paths that must be strings other than the empty one; an item that lacks one is skipped.
    public var required: [PayloadPath]
    /// The paths at which no string may be; an item that has one is skipped.
    public var excluded: [PayloadPath]
    /// What stands before the number in the identifier of a button that names none; `nil` for that of the rule.
    public var numbering: String?

    /// Makes an action.
    ///
    /// All paths begin at the button.
    ///
    /// - Parameters:
    ///   - opensURL: Whether a tap opens the button's URL.
    ///   - required: The paths that must be strings other than the empty one.
    ///   - excluded: The paths at which no string may be.
    ///   - numbering: What stands before the number in the identifier of a button that names none.
    public init(
      opensURL: Bool = false, required: [PayloadPath] = [], excluded: [PayloadPath] = [],
      numbering: String? = nil
    ) {
      self.opensURL = opensURL
      self.required = required
      self.excluded = excluded
      self.numbering = numbering
    }
  }
}
