/// The `alert` key of ``APS``: a string, which is the body, or a dictionary.
public struct Alert: Hashable, Sendable {
  /// The first line.
  public var title: String?
  /// The second line.
  public var subtitle: String?
  /// The text.
  public var body: String?
  /// The image shown while the app launches.
  public var launchImage: String?
  /// A title from the app's `Localizable.strings`.
  public var localizedTitle: LocalizedText?
  /// A subtitle from the app's `Localizable.strings`.
  public var localizedSubtitle: LocalizedText?
  /// A body from the app's `Localizable.strings`.
  public var localizedBody: LocalizedText?
  /// Every other key, as it came; the legacy `action-loc-key`, `summary-arg` and
  /// `summary-arg-count`, and the dictionary texts of Live Activities, stay here.
  public var unknown: [String: JSONValue] = [:]

  /// A key of the app's `Localizable.strings` and what fills its placeholders.
  public struct LocalizedText: Hashable, Sendable {
    /// The key to look up.
    public var key: String
    /// What fills `%@`, in order.
    public var arguments: [String]

    /// Makes a localised text.
    ///
    /// - Parameters:
    ///   - key: The key to look up.
    ///   - arguments: What fills `%@`, in order.
    public init(key: String, arguments: [String] = []) {
      self.key = key
      self.arguments = arguments
    }
  }

  /// Makes an alert.
  ///
  /// - Parameters:
  ///   - title: The first line.
  ///   - subtitle: The second line.
  ///   - body: The text.
  public init(title: String? = nil, subtitle: String? = nil, body: String? = nil) {
    self.title = title
    self.subtitle = subtitle
    self.body = body
  }

  /// Whether some text would show.
  public var isVisible: Bool {
    let texts = [title, subtitle, body].compactMap(\.self)
    let localized = [localizedTitle, localizedSubtitle, localizedBody].compactMap(\.self)
    return !localized.isEmpty || texts.contains { !$0.isEmpty } || !unknown.isEmpty
  }
}

extension Alert {
  init(_ object: [String: JSONValue], at path: String, noting findings: inout [PayloadFinding]) {
    var reader = ObjectReader(object, at: path)
    title = reader.string("title")
    subtitle = reader.string("subtitle")
    body = reader.string("body")
    launchImage = reader.string("launch-image")
    localizedTitle = Self.localized("title-loc-key", "title-loc-args", &reader)
    localizedSubtitle = Self.localized("subtitle-loc-key", "subtitle-loc-args", &reader)
    localizedBody = Self.localized("loc-key", "loc-args", &reader)
    unknown = reader.rest
    findings += reader.findings
  }

  private static func localized(
    _ key: String, _ arguments: String, _ reader: inout ObjectReader
  ) -> LocalizedText? {
    reader.string(key).map { LocalizedText(key: $0, arguments: reader.strings(arguments) ?? []) }
  }

  /// The dictionary form; a lone body stays a string, which is what most senders write.
  var json: JSONValue {
    var object = unknown
    object["title"] = title.map(JSONValue.string) ?? object["title"]
    object["subtitle"] = subtitle.map(JSONValue.string) ?? object["subtitle"]
    object["body"] = body.map(JSONValue.string) ?? object["body"]
    object["launch-image"] = launchImage.map(JSONValue.string) ?? object["launch-image"]
    Self.write(localizedTitle, "title-loc-key", "title-loc-args", &object)
    Self.write(localizedSubtitle, "subtitle-loc-key", "subtitle-loc-args", &object)
    Self.write(localizedBody, "loc-key", "loc-args", &object)
    if object.count == 1, let body { return .string(body) }
    return .object(object)
  }

  private static func write(
    _ text: LocalizedText?, _ key: String, _ arguments: String,
    _ object: inout [String: JSONValue]
  ) {
    guard let text else { return }
    object[key] = .string(text.key)
    if !text.arguments.isEmpty { object[arguments] = .array(text.arguments.map(JSONValue.string)) }
  }
}
