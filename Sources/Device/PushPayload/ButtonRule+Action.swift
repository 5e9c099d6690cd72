extension ButtonRule {
  /// The effect of a tap on a button, and the values that the button needs for it.
  public struct Action: Hashable, Sendable {
    /// Whether a tap opens the button's URL.
    public var opensURL: Bool
    /// The paths that must be strings other than the empty one; an item that lacks one is skipped.
    public var required: [PayloadPath]
    /// The paths that must not have a string; an item with one is skipped.
    public var excluded: [PayloadPath]
    /// The text before the number in the identifier of a button without its own; `nil` uses that of the rule.
    public var numbering: String?

    /// Makes an action.
    ///
    /// All paths begin at the button.
    ///
    /// - Parameters:
    ///   - opensURL: Whether a tap opens the button's URL.
    ///   - required: The paths that must be strings other than the empty one.
    ///   - excluded: The paths that must not have a string.
    ///   - numbering: The text before the number in the identifier of a button without its own.
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
