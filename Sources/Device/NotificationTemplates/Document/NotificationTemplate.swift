package import PushPayload

/// The content of an expanded notification, whichever vendor's keys describe it.
///
/// It is read with ``TemplateTable``. ``json`` writes its own form, `_martlet.template` of a payload.
package struct NotificationTemplate: Hashable, Sendable {
  /// The newest version of `_martlet.template` that is read.
  package static let currentVersion = 1

  /// The version of the form.
  package var version = NotificationTemplate.currentVersion
  /// The vendor's identifier of the message or the template.
  package var id: String?
  /// The dialect in which the payload is written.
  package var source: Dialect.ID
  /// The texts; those of the alert replace the ones that the template lacks.
  package var texts: TemplateTexts
  /// The link that a tap opens; `nil` opens the app.
  package var link: String?
  package var style = TemplateStyle()
  /// The content that is shown besides the texts.
  package var content: TemplateContent
  /// The buttons that the template answers; a tap on any other is forwarded to the app.
  package var actions: [TemplateAction] = []
  /// The texts of the alert, which are shown if nothing else can be.
  package var fallback: TemplateTexts
  /// The value that the sender wants to find in events; the template does not interpret it.
  package var tracking: JSONValue?

  /// The kind of ``content``.
  package var kind: TemplateKind { content.kind }
}

extension NotificationTemplate {
  /// A template that shows texts alone, for a notification that has no template.
  package init(texts: TemplateTexts) {
    self.init(source: .martlet, texts: texts, content: .text, fallback: texts)
  }

  /// The pages of a carousel, a catalog or a row of icons; empty for other kinds.
  package var pages: [TemplateItem] {
    switch content {
    case .carousel(let carousel): carousel.pages
    case .catalog(let catalog): catalog.items
    case .icons(let items): items
    default: []
    }
  }

  /// The media that the template shows besides those of ``pages``, in the order in which they are needed.
  package var otherMedia: [TemplateMedia] {
    let media: [TemplateMedia?] =
      switch content {
      case .banner(let banner): [banner.media]
      case .timer(let timer): [timer.media, timer.expiredMedia]
      case .rating(let rating): [rating.media, rating.chosenIcon, rating.icon]
      case .actions(let media): [media]
      case .media(let player): [player.media, player.poster]
      case .web(let page): [page.poster]
      case .input(let question), .poll(let question): [question.media, question.feedbackMedia]
      case .text, .carousel, .catalog, .icons: []
      }
    return media.compactMap(\.self)
  }

  /// All media, in the order in which they are needed.
  package var media: [TemplateMedia] { pages.map(\.media) + otherMedia }

  /// The link of a page: its own or the template's.
  package func link(of page: TemplateItem) -> String? { page.link ?? link }
}
