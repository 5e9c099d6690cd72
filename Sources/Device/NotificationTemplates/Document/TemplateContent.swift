/// The content of a template besides its texts, by its kind.
package enum TemplateContent: Hashable, Sendable {
  case text
  case banner(TemplateBanner)
  case carousel(TemplateCarousel)
  case timer(TemplateTimer)
  case rating(TemplateRating)
  case catalog(TemplateCatalog)
  case icons([TemplateItem])
  case actions(TemplateMedia?)
  case media(TemplatePlayer)
  case web(TemplateWebPage)
  case input(TemplateQuestion)
  case poll(TemplateQuestion)

  /// The kind, whose name is in the payload.
  package var kind: TemplateKind {
    switch self {
    case .text: .text
    case .banner: .banner
    case .carousel: .carousel
    case .timer: .timer
    case .rating: .rating
    case .catalog: .catalog
    case .icons: .icons
    case .actions: .actions
    case .media: .media
    case .web: .web
    case .input: .input
    case .poll: .poll
    }
  }
}

/// A picture with texts, and perhaps a button.
package struct TemplateBanner: Hashable, Sendable {
  /// The place of the texts.
  package enum Placement: String, Hashable, Sendable, CaseIterable {
    /// The texts are below the picture.
    case below
    /// The texts are over the picture, which fills the view.
    case over
    /// The texts are in a column beside the picture.
    case beside
  }

  package var media: TemplateMedia
  package var placement = Placement.below
  /// Lines below the texts.
  package var details: [TemplateDetail] = []
  package var button: TemplateButton?
}

/// A further line of text.
package struct TemplateDetail: Hashable, Sendable {
  package var text: TemplateText
  package var colors = TemplateColors()
}

/// Pages in a row.
package struct TemplateCarousel: Hashable, Sendable {
  /// The part of the row that is visible.
  package enum Layout: String, Hashable, Sendable, CaseIterable {
    /// One page at a time.
    case full
    /// The neighbors of a page are visible at its sides.
    case peek
    /// Several small pages in a row.
    case filmstrip
  }

  package var pages: [TemplateItem]
  /// The seconds after which the next page follows; `nil` if only a person moves the pages.
  package var advance: Double?
  /// Whether the first page follows the last.
  package var wraps = true
  package var layout = Layout.full
  /// The width of a page in ``Layout/peek``, as a part of the view's.
  package var peek = 0.75
  /// The height of a page divided by its width; `nil` for that of the first picture.
  package var aspect: Double?
  /// The space between pages in points.
  package var spacing = 0.0
  /// Whether dots show which page it is.
  package var hasIndicator = true
  /// The color behind the pages.
  package var pageBackground = TemplateColors()
}

/// A countdown, with a picture before its end and another after it.
package struct TemplateTimer: Hashable, Sendable {
  /// The end of the countdown in seconds since 1970.
  package var end: Double
  package var media: TemplateMedia?
  /// The texts after the end; a text or picture that is `nil` stays as before.
  package var expiredTexts = TemplateTexts()
  package var expiredMedia: TemplateMedia?
  /// Whether the subtitle and the body stay after the end if ``expiredTexts`` has none.
  package var keepsBody = true
  package var box = TemplateBox()
}

/// A row of stars.
package struct TemplateRating: Hashable, Sendable {
  /// The step with which a rating counts.
  package enum Commit: String, Hashable, Sendable, CaseIterable {
    /// A tap on a star opens its link at once.
    case tap
    /// The person chooses, then submits.
    case submit
  }

  package var media: TemplateMedia?
  package var details: [TemplateDetail] = []
  /// The number of stars.
  package var scale = 5
  /// The link of each star, in order; a star without a link has the first one.
  package var links: [String] = []
  package var commit = Commit.tap
  /// The link that is opened on submitting.
  package var submitLink: String?
  /// The title of the button; `nil` for the built-in word.
  package var submitTitle: TemplateText?
  /// The pictures of a star that is chosen, and of one that is not; `nil` for the built-in star.
  package var chosenIcon: TemplateMedia?
  package var icon: TemplateMedia?

  /// The link of a star, from 1.
  package func link(of star: Int) -> String? {
    links.indices.contains(star - 1) ? links[star - 1] : links.first
  }
}

/// Products; the chosen one is shown large.
package struct TemplateCatalog: Hashable, Sendable {
  /// The place of the chosen product's texts.
  package enum Layout: String, Hashable, Sendable, CaseIterable {
    /// The chosen product's texts are below the pictures.
    case stacked
    /// The chosen product's texts are in one line with the button.
    case row
  }

  package var items: [TemplateItem]
  package var layout = Layout.stacked
  package var button: TemplateButton?
}

/// A movie or a sound.
package struct TemplatePlayer: Hashable, Sendable {
  package var media: TemplateMedia
  /// The picture that is shown before the movie plays, and with a sound.
  package var poster: TemplateMedia?
}

/// A web page.
package struct TemplateWebPage: Hashable, Sendable {
  package var url: String
  /// The height divided by the width.
  package var aspect = 1.0
  /// The picture that is shown if web pages are off.
  package var poster: TemplateMedia?
}

/// A question, answered in a field or with one of several choices.
package struct TemplateQuestion: Hashable, Sendable {
  /// One answer of a poll.
  package struct Choice: Hashable, Sendable {
    package var id: String
    package var title: TemplateText
  }

  package var prompt: TemplateText?
  package var media: TemplateMedia?
  /// The choices of a poll.
  package var choices: [Choice] = []
  /// The texts after the answer.
  package var feedbackTexts = TemplateTexts()
  package var feedbackMedia: TemplateMedia?
}
