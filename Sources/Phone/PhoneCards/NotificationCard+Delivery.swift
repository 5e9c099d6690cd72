import Foundation
import NotificationHost
import PushPayload
package import NotificationCards

extension NotificationCard {
  /// Creates the card of a notification on a simulated phone; `nil` if the person sees nothing.
  ///
  /// This is the only conversion from a notification's content to a card.
  ///
  /// - Parameters:
  ///   - delivery: The outcome of the push.
  ///   - appName: The app's name on the card.
  ///   - delivered: The time of delivery in seconds since 1970, at which countdowns begin.
  ///   - file: Gives the path to draw for a URL in place of the phone's own copy; an empty path stands for a medium that is
  ///     still loading.
  package init?(
    _ delivery: SimulatedDelivery, appName: String, delivered: Double,
    file: ((String) -> String)? = nil
  ) {
    let report = delivery.report
    guard let content = report.content,
      report.outcome == .displayed || report.outcome == .displayedOriginal
    else { return nil }
    let urls = delivery.enriched?.attachments ?? []
    self.init(
      appName: appName, title: content.title, subtitle: content.subtitle, body: content.body,
      attachments: report.attachments.enumerated().map { index, shown in
        let ownPath = shown.file.path(percentEncoded: false)
        guard let file, urls.indices.contains(index) else {
          return Attachment(shown, path: ownPath)
        }
        var attachment = Attachment(shown, path: file(urls[index]))
        if attachment.path.isEmpty { attachment.name = Self.fileName(of: urls[index]) }
        return attachment
      },
      actions: report.actions.map(\.title))
    isTimeSensitive = content.interruptionLevel == "time-sensitive"
    template = PreviewedTemplate(delivery, delivered: delivered, file: file)?.drawn
  }

  /// The last component of a URL's path, or the URL itself if its path is empty.
  private static func fileName(of url: String) -> String {
    url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.map(String.init) ?? url
  }
}

extension NotificationCard.Attachment {
  /// An attachment as the phone shows it, drawn from the file at `path`.
  fileprivate init(_ shown: ShownAttachment, path: String) {
    let kind: Kind =
      switch MediaType(identifier: shown.type)?.family {
      case .audio?: .audio
      case .movie?: .video
      default: .image
      }
    self.init(
      path: path, kind: kind, thumbnailHidden: shown.thumbnailHidden,
      thumbnailClippingRect: shown.thumbnailClippingRect.map {
        .init(x: $0.x, y: $0.y, width: $0.width, height: $0.height)
      }, name: kind == .audio ? "Audio" : "",
      durationSeconds: kind == .video ? MovieLength.seconds(ofFile: path) : nil)
  }
}
