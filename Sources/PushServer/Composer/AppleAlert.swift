import PushPayload

/// An `alert` as Apple writes it: the members of `aps.alert` in one object.
///
/// An object of texts by locale has a `default`, and no locale is named as any of Apple's keys.
enum AppleAlert {
  private static let texts: [String: PayloadShape.Role] = [
    "title": .title, "subtitle": .subtitle, "body": .body,
  ]
  private static let names: Set<String> = [
    "title-loc-key", "subtitle-loc-key", "loc-key", "launch-image",
  ]
  private static let arguments: Set<String> = [
    "title-loc-args", "subtitle-loc-args", "loc-args",
  ]

  static func isForm(_ alert: BodyValue) -> Bool {
    alert.value.object?.keys.contains {
      texts[$0] != nil || names.contains($0) || arguments.contains($0)
    } ?? false
  }

  /// The same members, of which texts may differ from device to device.
  static func texts(_ alert: BodyValue) throws(ComposeError) -> [String: PayloadShape] {
    var shapes: [String: PayloadShape] = [:]
    for key in alert.value.object?.keys.sorted() ?? [] {
      guard let value = alert[key] else { continue }
      if let role = texts[key] {
        shapes[key] = .text(try DeviceText(value), role)
      } else if names.contains(key) {
        do throws(APIError) {
          shapes[key] = .fixed(.string(try value.string()))
        } catch {
          throw ComposeError(error)
        }
      } else if arguments.contains(key) {
        shapes[key] = .array(try PayloadDraft.arguments(value))
      } else {
        throw ComposeError(.refused, "\(value.path) is no part of an alert", at: value.path)
      }
    }
    return shapes
  }
}
