import PushPayload

/// An `alert` in Apple's own form: an object with the members of `aps.alert`.
///
/// Its keys distinguish it from an object of texts by locale, because no locale has the name of one of Apple's keys.
/// Each may also be written with underscores, like the API's other names.
enum AppleAlert {
  private static let texts: [String: PayloadTemplate.Role] = [
    "title": .title, "subtitle": .subtitle, "body": .body,
  ]
  private static let names: Set<String> = [
    "title-loc-key", "subtitle-loc-key", "loc-key", "launch-image",
  ]
  private static let arguments: Set<String> = [
    "title-loc-args", "subtitle-loc-args", "loc-args",
  ]

  /// Returns whether an `alert` has at least one of Apple's keys with a value.
  static func isForm(_ alert: BodyValue) -> Bool {
    alert.value.object?.contains { key, value in
      let key = apple(key)
      return !value.isNull
        && (texts[key] != nil || names.contains(key) || arguments.contains(key))
    } ?? false
  }

  /// Returns Apple's spelling of a key.
  static func apple(_ key: String) -> String { key.replacing("_", with: "-") }

  /// Reads the members of `aps.alert`, whose texts may differ by device.
  static func texts(_ alert: BodyValue) throws(ComposeError) -> [String: PayloadTemplate] {
    var templates: [String: PayloadTemplate] = [:]
    for name in alert.value.object?.keys.sorted() ?? [] {
      guard let value = alert[name] else { continue }
      let key = apple(name)
      guard templates[key] == nil else {
        throw ComposeError(
          .refused, "\(value.path) is already given as \(alert.path(to: key)); give it once",
          at: value.path)
      }
      if let role = texts[key] {
        templates[key] = .text(try PersonalizedText(value), role)
      } else if names.contains(key) {
        do throws(RequestError) {
          templates[key] = .fixed(.string(try value.string()))
        } catch {
          throw ComposeError(error)
        }
      } else if arguments.contains(key) {
        templates[key] = .array(try ParsedPayload.arguments(value))
      } else {
        throw ComposeError(
          .refused, "\(value.path) is not a member of Apple's alert", at: value.path)
      }
    }
    return templates
  }
}
