/// Where a dialect keeps buttons, and what it says of them.
public struct ButtonRule: Hashable, Sendable {
  /// Where the buttons stand: objects, or the titles themselves.
  public var item: PayloadPath
  /// Where a button holds its identifier; without one it is its number, counted from 0.
  public var identifier: [PayloadPath]
  /// Where a button holds its title; one without a title is no button.
  public var title: [PayloadPath]
  /// Where a button holds its URL.
  public var url: [PayloadPath]
  /// Where words stand that say of which kind a button is.
  public var kind: PayloadPath?
  /// What these words mean.
  public var traits: [String: Trait]
  /// Whether a button opens the app where nothing says otherwise.
  public var opensAppByDefault: Bool
  /// Where `true` or `false` says whether a button opens the app.
  public var opensApp: PayloadPath?
  /// Where `true` or `false` says whether a button needs an unlocked phone.
  public var requiresUnlock: PayloadPath?
  /// Where the button that sends a text has its title.
  public var inputTitle: PayloadPath?
  /// Where the text field's placeholder stands.
  public var inputPlaceholder: PayloadPath?
  /// Where the picture's name stands.
  public var iconName: PayloadPath?
  /// Where it stands whether the picture is the system's: a word that begins with `system`.
  public var iconType: PayloadPath?

  /// What a word can say of a button.
  public struct Trait: Hashable, Sendable {
    enum Meaning: Hashable { case destructive, textInput, foreground, background, requiresUnlock }
    let meaning: Meaning

    /// Drawn as a warning.
    public static let destructive = Trait(meaning: .destructive)
    /// Opens a text field.
    public static let textInput = Trait(meaning: .textInput)
    /// Opens the app.
    public static let foreground = Trait(meaning: .foreground)
    /// Does not open the app.
    public static let background = Trait(meaning: .background)
    /// Needs an unlocked phone.
    public static let requiresUnlock = Trait(meaning: .requiresUnlock)
  }

  /// Describes a place of buttons.
  ///
  /// All paths but `item` begin at the button.
  ///
  /// - Parameters:
  ///   - item: Where the buttons stand.
  ///   - identifier: Where a button holds its identifier.
  ///   - title: Where a button holds its title; by default the item is the title.
  ///   - url: Where a button holds its URL.
  ///   - kind: Where words stand that say of which kind a button is.
  ///   - traits: What these words mean.
  ///   - opensAppByDefault: Whether a button opens the app where nothing says otherwise.
  ///   - opensApp: Where it stands whether a button opens the app.
  ///   - requiresUnlock: Where it stands whether a button needs an unlocked phone.
  ///   - inputTitle: Where the button that sends a text has its title.
  ///   - inputPlaceholder: Where the text field's placeholder stands.
  ///   - iconName: Where the picture's name stands.
  ///   - iconType: Where it stands whether the picture is the system's.
  public init(
    _ item: PayloadPath, identifier: [PayloadPath] = [], title: [PayloadPath] = [""],
    url: [PayloadPath] = [], kind: PayloadPath? = nil, traits: [String: Trait] = [:],
    opensAppByDefault: Bool = true, opensApp: PayloadPath? = nil,
    requiresUnlock: PayloadPath? = nil, inputTitle: PayloadPath? = nil,
    inputPlaceholder: PayloadPath? = nil, iconName: PayloadPath? = nil,
    iconType: PayloadPath? = nil
  ) {
    self.item = item
    self.identifier = identifier
    self.title = title
    self.url = url
    self.kind = kind
    self.traits = traits
    self.opensAppByDefault = opensAppByDefault
    self.opensApp = opensApp
    self.requiresUnlock = requiresUnlock
    self.inputTitle = inputTitle
    self.inputPlaceholder = inputPlaceholder
    self.iconName = iconName
    self.iconType = iconType
  }
}
