import Foundation
package import NotificationTemplates
import PushPayload
package import RichNotifications
package import UserNotifications

/// One expanded notification: its template, the files of its media, and the state of the person's interaction.
///
/// It has everything that a view needs to know, but no view. Files are only read; media that the service extension did not
/// prepare are left out.
package struct ContentSession {
  package private(set) var interaction: TemplateInteraction
  /// The files of the media that can be shown, by ``TemplateMedia/id``.
  package private(set) var files: [String: URL]
  /// The sizes of pictures in pixels, by ``TemplateMedia/id``.
  package private(set) var pictureSizes: [String: TemplateSize]
  /// The identifier of the request, which is needed to remove the notification.
  package private(set) var requestID: String
  /// The notification's category, whose buttons are below the view.
  package private(set) var category: String
  /// The media that cannot be shown, and why.
  package private(set) var missing: [PreparedTemplate.Missing]
  /// The maker of receipts; `nil` if the app wants no receipts, or the notification has no identifier.
  private var reporter: ContentReporter?
  /// The receipts that are not stored yet, the oldest first.
  private var receipts: [Receipt] = []

  /// Reads a notification.
  ///
  /// - Parameters:
  ///   - notification: The notification.
  ///   - container: The container of the app group in which the service extension prepares media; without it the
  ///     attachments are used.
  ///   - settings: The device and the queue of receipts; `nil` if no receipts are made.
  package init(
    _ notification: UNNotification, container: URL?, receipts settings: ReceiptSettings? = nil
  ) {
    let request = notification.request
    let content = request.content
    let texts = TemplateTexts.shown(
      title: content.title, subtitle: content.subtitle, body: content.body)
    requestID = request.identifier
    category = content.categoryIdentifier
    files = [:]
    pictureSizes = [:]
    missing = []
    let payload = JSONValue(userInfo: content.userInfo)
    let asked = DialectTable.standard.read(payload)
    reporter = settings.flatMap {
      ContentReporter($0, notificationID: Receipt.notificationID(of: payload, read: asked))
    }
    guard
      let template = TemplateTable.standard.read(
        payload, alert: texts, category: content.categoryIdentifier,
        delivered: notification.date.timeIntervalSince1970
      ).template
    else {
      // A notification of another sender, whose category an app has given to this extension.
      interaction = TemplateInteraction(NotificationTemplate(texts: texts))
      return
    }
    let prepared: PreparedTemplate
    if let container {
      let group = AppGroupFiles(container: container)
      prepared = PreparedTemplate(
        template, request: request.identifier, message: template.id, in: group)
      files = prepared.files.mapValues(group.url)
    } else {
      prepared = PreparedTemplate(
        template, attachments: content.attachments.map(\.identifier),
        requested: asked.media)
      let urls = Dictionary(content.attachments.map { ($0.identifier, $0.url) }) { first, _ in first
      }
      files = prepared.files.compactMapValues { urls[$0] }
    }
    pictureSizes = prepared.pictureSizes
    missing = prepared.missing
    reporter?.number(prepared.template.pages, of: template.pages)
    interaction = TemplateInteraction(prepared.template)
  }

  package var template: NotificationTemplate { interaction.template }

  /// Handles an event, and returns the tasks for the view.
  package mutating func on(
    _ event: TemplateInteraction.Event, at now: Double
  ) -> [TemplateInteraction.Command] {
    let commands = interaction.on(event, at: now)
    report(commands[...])
    return commands
  }

  /// Shows a later notification of the same thread in the same view.
  package mutating func receive(
    _ notification: UNNotification, container: URL?, receipts settings: ReceiptSettings? = nil,
    at now: Double
  ) -> [TemplateInteraction.Command] {
    let next = ContentSession(notification, container: container, receipts: settings)
    let commands = interaction.on(.received(next.template), at: now)
    // The commands before the view of the second notification belong to the first.
    let viewed = commands.firstIndex {
      if case .record(let event) = $0 { event.kind == .viewed } else { false }
    }
    report(commands[..<(viewed ?? commands.endIndex)])
    let (interaction, receipts) = (interaction, receipts)
    self = next
    self.interaction = interaction
    self.receipts = receipts
    report(commands[(viewed ?? commands.endIndex)...])
    return commands
  }

  /// Takes the receipts that are not stored yet, the oldest first.
  package mutating func takeReceipts() -> [Receipt] {
    defer { receipts = [] }
    return receipts
  }

  private mutating func report(_ commands: ArraySlice<TemplateInteraction.Command>) {
    guard let reporter else { return }
    for case .record(let event) in commands {
      receipts += reporter.receipts(of: event, in: template)
    }
  }

  /// The present layout of the parts.
  package func layout(
    in environment: TemplateEnvironment, measuring measurer: any TemplateTextMeasurer
  ) -> TemplateLayout {
    var environment = environment
    environment.pictureSizes = pictureSizes
    return TemplateLayout(
      template, state: interaction.state, in: environment, measuring: measurer)
  }
}
