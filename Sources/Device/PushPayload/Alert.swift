/// The `alert` key of ``APS``: a string, which is the body, or a dictionary.
///
/// ```swift
/// var alert = Alert(title: "Rain at noon", body: "Bring an umbrella")
/// alert.localizedBody = Alert.LocalizedText(key: "RAIN_AT", arguments: ["12:00"])
/// ```
public struct Alert: Hashable, Sendable {
  /// The title: the first line, in bold.
  public var title: String?
  /// The subtitle: the second line.
  public var subtitle: String?
  /// The body: the text below title and subtitle.
  public var body: String?
  /// The name of the launch image or storyboard that is shown while the app starts.
  public var launchImage: String?
  /// The title as a key of the app's `Localizable.strings`.
  public var localizedTitle: LocalizedText?
  /// The subtitle as a key of the app's `Localizable.strings`.
  public var localizedSubtitle: LocalizedText?
  /// The body as a key of the app's `Localizable.strings`.
  public var localizedBody: LocalizedText?
  /// Every other key, unchanged: among them the legacy `action-loc-key`, `summary-arg` and
  /// `summary-arg-count`, and the texts that Live Activities write as dictionaries.
  public var unknown: [String: JSONValue] = [:]

  /// A key of the app's `Localizable.strings` and the values of its placeholders.
  public struct LocalizedText: Hashable, Sendable {
    /// The key to look up.
    public var key: String
    /// The values of the `%@` placeholders, in order.
    public var arguments: [String]

    /// Makes a localized text.
    ///
    /// - Parameters:
    ///   - key: The key to look up.
    ///   - arguments: The values of the `%@` placeholders, in order.
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
  ///   - body: The text below them.
  public init(title: String? = nil, subtitle: String? = nil, body: String? = nil) {
    self.title = title
    self.subtitle = subtitle
    self.body = body
  }

  /// Whether the alert has any text to show.
  public var isVisible: Bool {
    let texts = [title, subtitle, body].compactMap(\.self)
    let localized = [localizedTitle, localizedSubtitle, localizedBody].compactMap(\.self)
    return !localized.isEmpty || texts.contains { !$0.isEmpty } || !unknown.isEmpty
  }
}

extension Alert {
  init(
    _ object: [String: JSONValue], at path: String, findings: inout [PayloadFinding]
  ) {
    var reader = ObjectReader(object, at: path)
    title = reader.string("title")
    subtitle = reader.string("subtitle")
    body = reader.string("body")
    launchImage = reader.string("launch-image")
    localizedTitle = Self.localizedText("title-loc-key", arguments: "title-loc-args", from: &reader)
    localizedSubtitle = Self.localizedText(
      "subtitle-loc-key", arguments: "subtitle-loc-args", from: &reader)
    localizedBody = Self.localizedText("loc-key", arguments: "loc-args", from: &reader)
    unknown = reader.rest
    findings += reader.findings
  }

  private static func localizedText(
    _ key: String, arguments: String, from reader: inout ObjectReader
  ) -> LocalizedText? {
    reader.string(key).map { LocalizedText(key: $0, arguments: reader.strings(arguments) ?? []) }
  }

  /// The key's value: a string if the alert has only a body, as most senders write it, or else a dictionary.
  var json: JSONValue {
    var object = unknown
    object["title"] = title.map(JSONValue.string) ?? object["title"]
    object["subtitle"] = subtitle.map(JSONValue.string) ?? object["subtitle"]
    object["body"] = body.map(JSONValue.string) ?? object["body"]
    object["launch-image"] = launchImage.map(JSONValue.string) ?? object["launch-image"]
    Self.write(localizedTitle, "title-loc-key", arguments: "title-loc-args", to: &object)
    Self.write(
      localizedSubtitle, "subtitle-loc-key", arguments: "subtitle-loc-args", to: &object)
    Self.write(localizedBody, "loc-key", arguments: "loc-args", to: &object)
    if object.count == 1, let body { return .string(body) }
    return .object(object)
  }

  private static func write(
    _ text: LocalizedText?, _ key: String, arguments: String,
    to object: inout [String: JSONValue]
  ) {
    guard let text else { return }
    object[key] = .string(text.key)
    if !text.arguments.isEmpty { object[arguments] = .array(text.arguments.map(JSONValue.string)) }
  }
}
