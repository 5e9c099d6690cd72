import PushPayload

/// A query for the notifications of an app.
package struct SendQuery: Hashable, Sendable {
  /// An order of the list.
  package enum Order: String, CaseIterable, Sendable {
    case newest, oldest
    /// The notifications that wait for their time, the one that goes out first before the others.
    case next
  }

  /// The words of the search; each must begin a word of the notification's name, labels, title or text.
  package var words: [String]
  /// A label that the notifications have.
  package var label: String?
  package var state: Send.State?
  /// Whether to leave out the notifications of triggered campaigns, whose steps may each have one every five seconds.
  package var leavesOutTriggered = false
  /// Whether a run of a campaign is listed once, by its last notification that matches, in place of each of its
  /// variants.
  package var foldsRuns = false
  package var order = Order.newest

  /// The most words of a query; further words are ignored.
  package static let wordLimit = 8

  /// Makes a query; without arguments, it matches every notification.
  package init(_ text: String = "", label: String? = nil, state: Send.State? = nil) {
    words = Array(SendTerms.words(of: text).prefix(Self.wordLimit))
    self.label = label
    self.state = state
  }

  /// The query for all notifications except those of triggered campaigns.
  package static var withoutTriggered: SendQuery {
    var query = SendQuery()
    query.leavesOutTriggered = true
    return query
  }

  package var isEmpty: Bool { words.isEmpty && label == nil && state == nil }
}

/// The words and labels by which a notification is found.
///
/// A table has a row for each, so a search reads an index instead of the notifications.
package enum SendTerms {
  /// The most words of a notification that are stored, and the most characters of each.
  static let limit = 64
  static let length = 64

  private static let wordMark = "w:"
  private static let labelMark = "l:"

  package static func word(_ text: String) -> String { wordMark + text }
  package static func label(_ text: String) -> String { labelMark + text }
  /// The end of the range of texts that begin with `prefix`, in the order of bytes.
  package static func end(of prefix: String) -> String { prefix + "\u{10FFFF}" }

  /// The words of a text in lower case, without punctuation; an ideograph is a word of its own.
  static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    func end() {
      if !word.isEmpty { words.append(String(String(word).lowercased().prefix(length))) }
      word = String.UnicodeScalarView()
    }
    for scalar in text.unicodeScalars {
      let properties = scalar.properties
      if properties.isIdeographic {
        end()
        words.append(String(scalar))
      } else if properties.isAlphabetic || properties.numericType != nil
        || properties.generalCategory == .nonspacingMark
      {
        word.append(scalar)
      } else {
        end()
      }
    }
    end()
    return words
  }

  /// The terms of a send; a transactional send, which is for one person, is found only by its name and labels.
  package static func terms(of send: Send) -> [String] {
    var texts = (send.name.map { [$0] } ?? []) + send.labels
    if send.group == nil {
      for key in ["title", "subtitle", "alert"] { texts += strings(in: send.payload[key]) }
    }
    var terms = Set(send.labels.map(label))
    for text in texts {
      for word in words(of: text) where terms.count < limit + send.labels.count {
        terms.insert(Self.word(word))
      }
    }
    return terms.sorted()
  }

  private static func strings(in value: JSONValue?) -> [String] {
    guard let value else { return [] }
    if let text = value.string { return [text] }
    return (value.object ?? [:]).sorted { $0.key < $1.key }.flatMap { strings(in: $0.value) }
  }
}
