import Foundation
import NotificationTemplates
import RichNotifications

/// Makes receipts of a person's actions in one expanded notification.
///
/// The server counts a receipt once for each device and, if it is about a page, for each page. However often a person expands
/// a notification, each page therefore has one duration, and each question one answer: the first that arrives.
struct ContentReporter {
  private let settings: ReceiptSettings
  private let notificationID: String
  /// The index in the payload of each page that is shown.
  private var pages: [Int] = []

  /// - Returns: `nil` if the notification has no identifier, because the server could not assign its receipts.
  init?(_ settings: ReceiptSettings, notificationID: String?) {
    guard let notificationID, !notificationID.isEmpty else { return nil }
    self.settings = settings
    self.notificationID = notificationID
  }

  /// Counts pages as the payload does, whichever of them this phone could prepare.
  mutating func number(_ shown: [TemplateItem], of all: [TemplateItem]) {
    var rest = all.indices[...]
    pages = shown.compactMap { page in
      // The order is that of the payload, so one medium on two pages is not mixed up.
      guard let index = rest.first(where: { all[$0].media.id == page.media.id }) else { return nil }
      rest = rest[(index + 1)...]
      return index
    }
  }

  /// The receipts of an event.
  ///
  /// Opening a link here also counts as opening the notification, because the system does not report it to the app. If the link
  /// opens the app, and the system does report it, the app's own receipt has the same identifier.
  func receipts(of event: TemplateEvent, in template: NotificationTemplate) -> [Receipt] {
    switch event.kind {
    case .viewed: [receipt(.templateViewed, of: event)]
    case .page: [receipt(.templatePage, of: event)]
    case .answered: [answer(event, in: template)]
    case .opened: [receipt(.templateOpened, of: event), receipt(.opened, at: event.time)]
    case .expired: [receipt(.templateExpired, of: event)]
    case .played: [receipt(.templatePlayed, of: event)]
    }
  }

  /// The receipt of an answer; it has typed text only if the app wants it.
  private func answer(_ event: TemplateEvent, in template: NotificationTemplate) -> Receipt {
    guard case .input = template.content else {
      return receipt(.templateAnswered, at: event.time, value: event.value)
    }
    return receipt(
      .templateAnswered, at: event.time, text: settings.sendsTypedText ? event.value : nil)
  }

  private func receipt(_ kind: Receipt.Event, of event: TemplateEvent) -> Receipt {
    receipt(
      kind, at: event.time,
      page: event.page.map { pages.indices.contains($0) ? pages[$0] : $0 },
      // A page that was left at once was visible for 0 seconds.
      dwell: event.kind == .page ? .seconds(event.duration ?? 0) : nil)
  }

  private func receipt(
    _ kind: Receipt.Event, at time: Double, page: Int? = nil, dwell: Duration? = nil,
    value: String? = nil, text: String? = nil
  ) -> Receipt {
    Receipt(
      notificationID: notificationID, deviceID: settings.deviceID, event: kind,
      at: Date(timeIntervalSince1970: time), page: page, dwell: dwell, value: value, text: text)
  }
}
