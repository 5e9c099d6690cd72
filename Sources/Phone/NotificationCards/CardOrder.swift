import FoundationEssentials

/// A question to the process that draws cards, as it travels there.
package enum CardOrder: Codable, Sendable {
  /// The picture of a card.
  case draw(NotificationCard, views: [NotificationCard.View], style: CardStyle, isJPEG: Bool)
  /// The height of a template's first face in points, in the style that ``CardStyle`` has by default.
  case height(ExpandedTemplate)
  /// Whether the content of a picture file is damaged.
  case isDamaged(path: String)

  /// The command with which `martlet` draws in a child process; `--help` does not list it.
  package static let command = "card-process"
  /// The most seconds of processor time for an order; without optimization a card takes several times as long.
  #if DEBUG
    package static let processorSeconds = 6
  #else
    package static let processorSeconds = 2
  #endif

  /// The order as JSON; `nil` if a number in it is infinite or NaN, which JSON cannot express.
  package var bytes: [UInt8]? { (try? JSONEncoder().encode(self)).map(Array.init) }

  /// Reads an order; `nil` if the bytes are not an order.
  package init?(_ bytes: [UInt8]) {
    guard let order = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
    self = order
  }
}

/// An answer to a ``CardOrder``.
package enum CardAnswer: Codable, Sendable {
  case picture([UInt8])
  case height(Double)
  case isDamaged(Bool)
  case error(CardError)

  /// A byte that names the form, followed by the bytes of a picture, or by another answer as JSON.
  package var bytes: [UInt8] {
    if case .picture(let picture) = self { return [0] + picture }
    return [1] + ((try? JSONEncoder().encode(self)).map(Array.init) ?? [])
  }

  /// Reads an answer; `nil` if the bytes are not an answer.
  package init?(_ bytes: [UInt8]) {
    let rest = bytes.dropFirst()
    switch bytes.first {
    case 0: self = .picture(Array(rest))
    case 1:
      guard let answer = try? JSONDecoder().decode(Self.self, from: Data(rest)) else { return nil }
      self = answer
    default: return nil
    }
  }
}
