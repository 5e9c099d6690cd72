public import Foundation
public import PushPayload

/// A category made for the buttons that a payload describes.
///
/// The system shows only actions of registered categories. Register the category with a
/// ``CategoryRegistry``, then set its identifier in the content.
public struct ButtonCategory: Hashable, Sendable {
  /// The maximum number of buttons; further ones are left out.
  ///
  /// The system shows up to ten actions, and only the first two if space is limited.
  /// Source: Apple, `UNNotificationCategory` and its `actions`.
  public static let maximumButtons = 10
  /// The maximum number of characters of a title; a longer one is truncated with an ellipsis.
  public static let maximumTitleLength = 64

  /// The category identifier to register and to set in the content.
  ///
  /// It is the same for the same buttons in the same second. If a registered category has the same buttons,
  /// ``CategoryOutcome/identifier`` is that category's identifier instead.
  public var identifier: String { name.text }
  /// The buttons to show, with cleaned titles and unique identifiers.
  public let buttons: [RichButton]
  let name: CategoryIdentifier

  /// Creates a category for buttons; `nil` if none of them can be shown.
  ///
  /// A button without an identifier or a visible title is left out, as is one whose identifier was used
  /// before. Control characters and line breaks in titles become spaces.
  ///
  /// - Parameters:
  ///   - buttons: The buttons, in the payload's order.
  ///   - date: The current date. The oldest categories are removed first.
  public init?(buttons: [RichButton], at date: Date) {
    var seen: Set<String> = []
    var shown: [RichButton] = []
    for var button in buttons where shown.count < Self.maximumButtons {
      button.title = Self.shownText(button.title)
      button.textInput = button.textInput.map {
        RichButton.TextInput(
          buttonTitle: Self.shownText($0.buttonTitle), placeholder: Self.shownText($0.placeholder))
      }
      guard !button.identifier.isEmpty, !button.title.isEmpty,
        seen.insert(button.identifier).inserted
      else { continue }
      shown.append(button)
    }
    guard !shown.isEmpty else { return nil }
    self.buttons = shown
    name = CategoryIdentifier(at: date, buttons: Self.wordHash(shown))
  }

  private static func shownText(_ text: String) -> String {
    let words = text.split { character in
      character.isWhitespace || character.unicodeScalars.allSatisfy { $0.properties.isControl }
    }
    let line = words.joined(separator: " ")
    guard line.count > maximumTitleLength else { return line }
    return line.prefix(maximumTitleLength - 1) + "…"
  }

  /// A hash of the category's actions.
  ///
  /// A button's URL is not part of a category.
  private static func wordHash(_ buttons: [RichButton]) -> WordHash {
    var words: [String] = []
    for button in buttons {
      words += [button.identifier, button.title]
      words += [button.isDestructive, button.opensApp, button.requiresUnlock].map(\.description)
      if let input = button.textInput { words += ["text", input.buttonTitle, input.placeholder] }
      if let icon = button.icon { words += ["icon", icon.isSystem.description, icon.name] }
    }
    return WordHash(of: words)
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isControl: Bool { generalCategory == .control }
}
