/// The keys under which a dialect describes buttons.
public struct ButtonRule: Hashable, Sendable {
  /// The path of the buttons: objects, or the titles themselves.
  public var item: PayloadPath
  /// The paths of a button's identifier; a button without one gets ``numbering`` and its number.
  public var identifier: [PayloadPath]
  /// The paths of a button's title; an item without a title is skipped.
  public var title: [PayloadPath]
  /// The paths of a button's URL.
  public var url: [PayloadPath]
  /// The paths that must be strings other than the empty one; an item that lacks one is skipped.
  public var required: [PayloadPath] = []
  /// The path of the word that names the effect of a tap; `nil` if every tap opens ``url``.
  public var actionPath: PayloadPath?
  /// The effects that the words at ``actionPath`` name.
  public var actions: [String: Action] = [:]
  /// Whether an item whose word is missing or not one of ``actions`` is skipped; if not, its tap opens no URL.
  public var skipsUnknownActions = false
  /// Whether one item that is skipped makes the reader skip all.
  public var isAllOrNothing = false
  /// The path of a text that is put before the identifier, with a hyphen; `nil` if identifiers have no prefix.
  public var identifierPrefix: PayloadPath?
  /// The text before the number in the identifier of a button without its own.
  public var numbering = ""
  /// The number of the first button.
  public var firstNumber = 0
  /// Whether skipped items are counted in the number of a button.
  public var countsSkipped = false
  /// The most items that are read.
  public var maximumCount = Dialect.maximumButtons
  /// Whether exactly two buttons are shown in the opposite order.
  public var reversesTwo = false
  /// The prefixes of URLs that are the vendor's own commands, not links.
  public var commandPrefixes: [String] = []
  /// A condition that payloads must meet for this rule; `nil` if the rule applies to all.
  public var condition: Signature?
  /// The path of the words that describe a button, such as a type or a list of options.
  public var kind: PayloadPath?
  /// The trait that each word names; other words are ignored.
  public var traits: [String: Trait]
  /// Whether a button opens the app if the payload does not say.
  public var opensAppByDefault: Bool
  /// The path of `true` or `false`: whether a button opens the app.
  public var opensApp: PayloadPath?
  /// The path of `true` or `false`: whether a button needs an unlocked device.
  public var requiresUnlock: PayloadPath?
  /// The path of the title of the button that sends a text.
  public var inputTitle: PayloadPath?
  /// The path of the text field's placeholder.
  public var inputPlaceholder: PayloadPath?
  /// The path of the icon's name.
  public var iconName: PayloadPath?
  /// The path of the icon's type; a word that begins with `system` means an SF Symbol.
  public var iconType: PayloadPath?

  /// A property of a button that a word of the payload names.
  public struct Trait: Hashable, Sendable {
    enum Kind: Hashable { case destructive, textInput, foreground, background, requiresUnlock }
    let kind: Kind

    /// It is drawn as a destructive action.
    public static let destructive = Trait(kind: .destructive)
    /// It opens a text field.
    public static let textInput = Trait(kind: .textInput)
    /// It opens the app.
    public static let foreground = Trait(kind: .foreground)
    /// It does not open the app.
    public static let background = Trait(kind: .background)
    /// It needs an unlocked device.
    public static let requiresUnlock = Trait(kind: .requiresUnlock)
  }

  /// Makes a rule.
  ///
  /// All paths except `item` begin at the button.
  ///
  /// - Parameters:
  ///   - item: The path of the buttons.
  ///   - identifier: The paths of a button's identifier.
  ///   - title: The paths of a button's title; by default the item is the title.
  ///   - url: The paths of a button's URL.
  ///   - kind: The path of the words that describe a button.
  ///   - traits: The trait that each word names.
  ///   - opensAppByDefault: Whether a button opens the app if the payload does not say.
  ///   - opensApp: The path of `true` or `false`: whether a button opens the app.
  ///   - requiresUnlock: The path of `true` or `false`: whether a button needs an unlocked device.
  ///   - inputTitle: The path of the title of the button that sends a text.
  ///   - inputPlaceholder: The path of the text field's placeholder.
  ///   - iconName: The path of the icon's name.
  ///   - iconType: The path of the icon's type.
  ///   - configure: Sets the other properties.
  public init(
    _ item: PayloadPath, identifier: [PayloadPath] = [], title: [PayloadPath] = [""],
    url: [PayloadPath] = [], kind: PayloadPath? = nil, traits: [String: Trait] = [:],
    opensAppByDefault: Bool = true, opensApp: PayloadPath? = nil,
    requiresUnlock: PayloadPath? = nil, inputTitle: PayloadPath? = nil,
    inputPlaceholder: PayloadPath? = nil, iconName: PayloadPath? = nil,
    iconType: PayloadPath? = nil, configure: (inout ButtonRule) -> Void = { _ in }
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
    configure(&self)
  }
}
