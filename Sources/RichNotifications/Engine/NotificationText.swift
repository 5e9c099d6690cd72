import PushPayload

/// The three texts of a notification.
public struct NotificationText: Hashable, Sendable {
  /// The first line.
  public var title: String
  /// The second line.
  public var subtitle: String
  /// The text.
  public var body: String

  /// Makes the texts.
  ///
  /// - Parameters:
  ///   - title: The first line.
  ///   - subtitle: The second line.
  ///   - body: The text.
  public init(title: String = "", subtitle: String = "", body: String = "") {
    self.title = title
    self.subtitle = subtitle
    self.body = body
  }

  /// The texts of an alert that the system has not seen: a localised one before the literal beside it.
  init(_ alert: Alert?, localized: (_ key: String, _ arguments: [String]) -> String?) {
    func text(_ literal: String?, _ localizable: Alert.LocalizedText?) -> String {
      let found = localizable.flatMap { localized($0.key, $0.arguments) }
      return Self.cleaned(found ?? literal ?? "")
    }
    title = text(alert?.title, alert?.localizedTitle)
    subtitle = text(alert?.subtitle, alert?.localizedSubtitle)
    body = text(alert?.body, alert?.localizedBody)
  }

  /// Replaces what a payload overrides; an absent or blank text never replaces one that is there.
  mutating func override(title: String?, subtitle: String?, body: String?) {
    func replace(_ text: inout String, with new: String?) {
      guard let new = new.map(Self.cleaned), !new.allSatisfy(\.isWhitespace) else { return }
      text = new
    }
    replace(&self.title, with: title)
    replace(&self.subtitle, with: subtitle)
    replace(&self.body, with: body)
  }

  /// Writes the lines that a template gives, where the payload has all that it names.
  mutating func fill(_ template: TextTemplate, from payload: JSONValue) {
    override(
      title: template.title?.filled(from: payload),
      subtitle: template.subtitle?.filled(from: payload), body: template.body?.filled(from: payload)
    )
  }

  /// Without control characters but tab and line feed: nothing that a payload writes may hide the rest
  /// of a line or break a log.
  static func cleaned(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { !isControl($0) }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control && scalar != "\t" && scalar != "\n"
  }
}

/// Texts of the app's own, with places that the payload fills: `{order.customer} has replied`.
///
/// Between braces stands the path of a string or number of the payload. A line whose places are not
/// all filled is not written, so what arrived stays. `{{` is a brace. Nothing else has a meaning: not
/// `%`, and not a brace in what is filled in.
public struct TextTemplate: Hashable, Sendable {
  /// The first line; `nil` leaves it.
  public var title: Line?
  /// The second line; `nil` leaves it.
  public var subtitle: Line?
  /// The text; `nil` leaves it.
  public var body: Line?

  /// Makes a template.
  ///
  /// - Parameters:
  ///   - title: The first line; `nil` leaves it.
  ///   - subtitle: The second line; `nil` leaves it.
  ///   - body: The text; `nil` leaves it.
  public init(title: Line? = nil, subtitle: Line? = nil, body: Line? = nil) {
    self.title = title
    self.subtitle = subtitle
    self.body = body
  }

  /// One line of a template, read once.
  public struct Line: Hashable, Sendable, ExpressibleByStringLiteral {
    private enum Piece: Hashable, Sendable {
      case text(String)
      case place(PayloadPath)
    }

    private var pieces: [Piece] = []

    /// Reads a line.
    ///
    /// - Parameter text: The line; a brace that is not closed is text.
    public init(_ text: String) {
      var rest = text[...]
      var literal = ""
      while let brace = rest.firstIndex(of: "{") {
        literal += rest[..<brace]
        rest = rest[brace...].dropFirst()
        if rest.first == "{" {
          literal += "{"
          rest = rest.dropFirst()
        } else if let end = rest.firstIndex(of: "}") {
          pieces.append(.text(literal))
          literal = ""
          pieces.append(.place(PayloadPath(String(rest[..<end]))))
          rest = rest[end...].dropFirst()
        } else {
          literal += "{"
        }
      }
      pieces.append(.text(literal + rest))
    }

    /// Reads a line.
    ///
    /// - Parameter text: As ``init(_:)``.
    public init(stringLiteral text: String) { self.init(text) }

    /// The line with its places filled; `nil` where the payload lacks one.
    func filled(from payload: JSONValue) -> String? {
      var line = ""
      for piece in pieces {
        switch piece {
        case .text(let text): line += text
        case .place(let path):
          guard let value = payload[path] else { return nil }
          let number = value.integer.map { "\($0)" } ?? value.number.map { "\($0)" }
          guard let text = value.string ?? number, !text.isEmpty else { return nil }
          line += text
        }
      }
      return line
    }
  }
}
