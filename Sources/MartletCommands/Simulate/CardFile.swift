import Foundation
import NotificationHost
import PushPayload
import RichNotifications
import _Card

/// Draws a simulated delivery to a PNG file, collapsed and expanded.
enum CardFile {
  /// False where there is nothing to draw, because the person sees nothing.
  static func write(
    _ delivery: SimulatedDelivery, to file: String, appName: String = "Martlet",
    style: CardStyle = CardStyle(), moreInThread: Int = 0, hasBanner: Bool = false
  ) async throws -> Bool {
    guard var card = card(for: delivery, appName: appName) else { return false }
    var posters: [URL] = []
    defer { for poster in posters { try? FileManager.default.removeItem(at: poster) } }
    for (index, shown) in delivery.report.attachments.enumerated()
    where card.attachments[index].kind == .video {
      guard let poster = await VideoPoster.file(for: shown.file, at: shown.thumbnailTime)
      else { continue }
      posters.append(poster)
      card.attachments[index].posterPath = poster.path(percentEncoded: false)
    }
    do {
      let views: [NotificationCard.View] =
        (hasBanner ? [.banner] : []) + [.stacked(on: moreInThread), .expanded]
      let picture = try CardRenderer(style).png(card, views)
      // A file is replaced whole. What is none, a link or a device, is written to and stays.
      let type =
        try? FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType
      try Data(picture).write(
        to: URL(fileURLWithPath: file), options: [nil, .typeRegular].contains(type) ? .atomic : [])
      return true
    } catch let error as CardError {
      throw CommandFailure("cannot draw the card: \(error)", cause: error)
    } catch {
      throw CommandFailure(
        "cannot write \(file): is the folder there, writable, and the disk not full?", cause: error)
    }
  }

  /// `nil` where the person sees nothing.
  private static func card(for delivery: SimulatedDelivery, appName: String) -> NotificationCard? {
    let outcome = delivery.report.outcome
    guard let content = delivery.report.content,
      outcome == .displayed || outcome == .displayedOriginal
    else { return nil }
    return NotificationCard(
      appName: appName, title: content.title, subtitle: content.subtitle, body: content.body,
      attachments: delivery.report.attachments.map(attachment),
      actions: delivery.report.actions.map(\.title))
  }

  private static func attachment(_ shown: ShownAttachment) -> NotificationCard.Attachment {
    let kind: NotificationCard.Attachment.Kind =
      switch MediaType(identifier: shown.type)?.family {
      case .audio?: .audio
      case .movie?: .video
      default: .image
      }
    return NotificationCard.Attachment(
      path: shown.file.path(percentEncoded: false), kind: kind,
      thumbnailHidden: shown.thumbnailHidden,
      thumbnailClippingRect: shown.thumbnailClippingRect.map {
        .init(x: $0.x, y: $0.y, width: $0.width, height: $0.height)
      }, name: kind == .audio ? "Audio" : "")
  }
}
