import PushPayload

/// The title, subtitle and body of a notification.
public struct NotificationText: Hashable, Sendable {
  /// The title.
  public var title: String
  /// The subtitle.
  public var subtitle: String
  /// The body.
  public var body: String

  /// Creates a text.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - subtitle: The subtitle.
  ///   - body: The body.
  public init(title: String = "", subtitle: String = "", body: String = "") {
    self.title = title
    self.subtitle = subtitle
    self.body = body
  }

  /// Creates the text of an alert from a decrypted payload, which the system has not localized.
  ///
  /// A localized string takes precedence over the literal one.
  init(_ alert: Alert?, localized: (_ key: String, _ arguments: [String]) -> String?) {
    func text(_ literal: String?, _ localizable: Alert.LocalizedText?) -> String {
      let found = localizable.flatMap { localized($0.key, $0.arguments) }
      return Self.cleaned(found ?? literal ?? "")
    }
    title = text(alert?.title, alert?.localizedTitle)
    subtitle = text(alert?.subtitle, alert?.localizedSubtitle)
    body = text(alert?.body, alert?.localizedBody)
  }

  /// Replaces lines.
  ///
  /// A line that is `nil` or blank replaces nothing.
  mutating func override(title: String?, subtitle: String?, body: String?) {
    func replace(_ text: inout String, with new: String?) {
      guard let new = new.map(Self.cleaned), !new.allSatisfy(\.isWhitespace) else { return }
      text = new
    }
    replace(&self.title, with: title)
    replace(&self.subtitle, with: subtitle)
    replace(&self.body, with: body)
  }

  /// Applies the lines of a template whose placeholders the payload fills.
  mutating func fill(_ template: TextTemplate, from payload: JSONValue) {
    override(
      title: template.title?.filled(from: payload),
      subtitle: template.subtitle?.filled(from: payload), body: template.body?.filled(from: payload)
    )
  }

  /// The text without control characters other than tab and line feed, which could hide the rest of a line
  /// or break a log.
  static func cleaned(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { !isControl($0) }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control && scalar != "\t" && scalar != "\n"
  }
}

/// The app's own text with placeholders that the payload fills: `{order.customer} has replied`.
///
/// A placeholder is the path of a string or number of the payload in braces. A line with a placeholder that
/// the payload does not fill is not used, so the original line stays. `{{` is a literal brace. Nothing else
/// is special: neither `%` nor braces in the payload's values.
public struct TextTemplate: Hashable, Sendable {
  /// The title; `nil` keeps the original.
  public var title: Line?
  /// The subtitle; `nil` keeps the original.
  public var subtitle: Line?
  /// The body; `nil` keeps the original.
  public var body: Line?

  /// Creates a template.
  ///
  /// - Parameters:
  ///   - title: The title; `nil` keeps the original.
  ///   - subtitle: The subtitle; `nil` keeps the original.
  ///   - body: The body; `nil` keeps the original.
  public init(title: Line? = nil, subtitle: Line? = nil, body: Line? = nil) {
    self.title = title
    self.subtitle = subtitle
    self.body = body
  }

  /// One line of a template.
  public struct Line: Hashable, Sendable, ExpressibleByStringLiteral {
    private enum Piece: Hashable, Sendable {
      case text(String)
      case placeholder(PayloadPath)
    }

    private var pieces: [Piece] = []

    /// Parses a line.
    ///
    /// - Parameter text: The line. A brace that is not closed is literal text.
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
          pieces.append(.placeholder(PayloadPath(String(rest[..<end]))))
          rest = rest[end...].dropFirst()
        } else {
          literal += "{"
        }
      }
      pieces.append(.text(literal + rest))
    }

    /// Parses a line.
    ///
    /// - Parameter text: The line, as for ``init(_:)``.
    public init(stringLiteral text: String) { self.init(text) }

    /// The line with its placeholders filled; `nil` if the payload lacks one of them.
    func filled(from payload: JSONValue) -> String? {
      var line = ""
      for piece in pieces {
        switch piece {
        case .text(let text): line += text
        case .placeholder(let path):
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
