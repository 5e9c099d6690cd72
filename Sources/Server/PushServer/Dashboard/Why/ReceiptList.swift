import Markup
import PushModel

/// The reports of a phone about one notification, each with what it says of media and time.
struct ReceiptList {
  var receipts: [Receipt]

  var html: HTML? {
    guard !receipts.isEmpty else { return nil }
    return """
      <section class="card" aria-labelledby="reports"><h2 id="reports">Reports of the phone</h2>
      <ol class="trace">\(receipts.map(item))</ol></section>
      """
  }

  private func item(_ receipt: Receipt) -> HTML {
    var details: [String] = []
    if let media = receipt.media { details.append("media: \(media)") }
    if let reason = receipt.reason { details.append(reason) }
    if let time = receipt.milliseconds { details.append("\(time) ms") }
    let isGood = receipt.reason == nil
    return """
      <li\(" class=\"bad\"", if: !isGood)><div><strong>\(receipt.event.title)</strong> \
      \(.timeWithSeconds(receipt.at))</div>\
      \(details.isEmpty ? nil : "<div class=\"muted\">\(details.joined(separator: " · "))</div>" as HTML)</li>

      """
  }
}

extension Receipt.Event {
  /// The event in words.
  fileprivate var title: String {
    switch self {
    case .received: "Received by the device"
    case .displayed: "Displayed"
    case .opened: "Opened"
    case .dismissed: "Dismissed"
    case .action: "Button pressed"
    case .templateViewed: "Expanded"
    case .templatePage: "Page of the expanded notification seen"
    case .templateAnswered: "Answered in the expanded notification"
    case .templateOpened: "Link of the expanded notification opened"
    case .templateExpired: "Countdown ended in the expanded notification"
    case .templatePlayed: "Movie or sound played"
    }
  }
}
