public import Foundation
public import PushPayload

/// The category that shows a payload's buttons.
///
/// The system draws buttons only from categories that are registered beforehand, so buttons that a
/// payload describes need one of their own: register it with a ``CategoryRegistry``, then name it in
/// the content.
public struct ButtonCategory: Hashable, Sendable {
  /// How many buttons there are at most; what follows is left out.
  ///
  /// The system shows up to ten where there is room and the first two in a banner.
  /// Source: Apple, `UNNotificationCategory` and its `actions`.
  public static let maximumButtons = 10
  /// How many characters a title has at most; a longer one is cut and ends in an ellipsis.
  public static let maximumTitleLength = 64

  /// What the content's `categoryIdentifier` shall be once it is registered.
  ///
  /// The same for the same buttons at the same second; where a registered category has the same
  /// buttons, ``CategoryOutcome/identifier`` names that one instead.
  public var identifier: String { name.text }
  /// The buttons as they are shown: with clean titles, no identifier twice, none too many.
  public let buttons: [RichButton]
  let name: CategoryIdentifier

  /// Makes the category for buttons.
  ///
  /// A button without an identifier or without a visible title is left out, and of two with one
  /// identifier the second. Control characters and line breaks in titles become spaces.
  /// There is no category where no button is left.
  ///
  /// - Parameters:
  ///   - buttons: The buttons, in the payload's order.
  ///   - date: Now; the oldest categories are pruned first.
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
    name = CategoryIdentifier(at: date, buttons: Self.fingerprint(shown))
  }

  private static func shownText(_ text: String) -> String {
    let words = text.split { character in
      character.isWhitespace || character.unicodeScalars.allSatisfy { $0.properties.isControl }
    }
    let line = words.joined(separator: " ")
    guard line.count > maximumTitleLength else { return line }
    return line.prefix(maximumTitleLength - 1) + "…"
  }

  /// Of what the system is told; where a button leads is not part of a category.
  private static func fingerprint(_ buttons: [RichButton]) -> WordHash {
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
