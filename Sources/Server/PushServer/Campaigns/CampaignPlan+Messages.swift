extension CampaignPlan.Variant {
  /// The title of the variant: its name, or `Variant A`.
  var title: String { Self.title(key: key, name: name) }

  static func title(key: String, name: String?) -> String {
    name ?? "Variant \(key.count == 1 ? key.uppercased() : key)"
  }
}

extension CampaignPlan {
  /// A variant of a message.
  struct Message: Sendable {
    /// The number of the message, from 1.
    var step: Int
    var variant: Variant
    /// The title: `Message 2, Variant A` if there are several messages, or else `Variant A`.
    var title: String
  }

  /// The variants of all messages.
  var messages: [Message] {
    steps.enumerated().flatMap { place, step in
      step.variants.map { variant in
        let title = steps.count > 1 ? "Message \(place + 1), \(variant.title)" : variant.title
        return Message(step: place + 1, variant: variant, title: title)
      }
    }
  }

  /// The variant of a message with a key; `nil` if the message has no such variant.
  func message(_ step: Int, _ key: String) -> Message? {
    messages.first { $0.step == step && $0.variant.key == key }
  }

  /// The title of the variant with a key, or the key if the campaign has no such variant.
  func title(of key: String) -> String {
    if key == Self.controlKey { return "Control" }
    return variants.first { $0.key == key }?.title ?? key
  }
}
