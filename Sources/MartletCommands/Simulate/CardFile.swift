import Foundation
import NotificationHost
import PushPayload
import RichNotifications
import _Card

/// Draws a simulated delivery to a PNG file, collapsed and expanded.
enum CardFile {
  /// False where there is nothing to draw, because the person sees nothing.
  static func write(
    _ delivery: SimulatedDelivery, to file: String, appName: String = "Martlet"
  ) throws -> Bool {
    guard let card = card(for: delivery, appName: appName) else { return false }
    do {
      let picture = try CardRenderer().png(card, [.collapsed, .expanded])
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
      attachments: delivery.report.attachments.map(attachment))
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
      thumbnailHidden: shown.thumbnailHidden, name: kind == .audio ? "Audio" : "")
  }
}
