import Markup
import PushModel

/// A row of the list of in-app messages: one message, or the messages of a campaign's run.
struct MessageRow: Sendable {
  /// The message that stands for the row; of a run, the one that was published last.
  var lead: Message
  /// The messages of the row, in the order in which they were published.
  var messages: [PublishedMessage]
  /// The campaign of the messages; `nil` if they are of none.
  var campaign: Campaign?

  /// The rows of a page, with the messages of each run that the page has one of.
  static func rows(of page: [Message], isFolded: Bool, _ request: PageRequest) async throws
    -> [MessageRow]
  {
    let (store, app) = (request.router.store, request.app.id)
    let named = try await store.campaigns(
      isFolded ? Array(Set(page.compactMap(\.origin?.campaign))) : [], app: app)
    let campaigns = Dictionary(named.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    var rows: [MessageRow] = []
    for message in page {
      if isFolded, let origin = message.origin {
        rows.append(
          MessageRow(
            lead: message, messages: try await store.messages(ofRun: origin.run, app: app),
            campaign: campaigns[origin.campaign]))
      } else {
        let seen = try await store.impressions(of: message.id, app: app)
        rows.append(MessageRow(lead: message, messages: [PublishedMessage(message, seen: seen)]))
      }
    }
    return rows
  }

  /// The number of devices on which the messages were shown in a place.
  func seen(_ place: Message.Impression) -> Int {
    messages.reduce(0) { $0 + ($1.seen[place] ?? 0) }
  }
}

extension PublishedMessage {
  /// The share of the inboxes that listed the message in which it was opened: “12.3 %”, or “–” if none has listed it.
  var openRate: HTML { Self.openRate(opened: seen[.detail] ?? 0, listed: seen[.stream] ?? 0) }

  static func openRate(opened: Int, listed: Int) -> HTML {
    // A tap on a push opens a message that no inbox has listed.
    listed == 0 ? "–" : Proportion(successes: min(opened, listed), trials: listed).rateText
  }
}
