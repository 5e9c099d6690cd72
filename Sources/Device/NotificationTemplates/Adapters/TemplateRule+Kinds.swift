import PushPayload

struct BannerRule: Sendable {
  var placement: [PayloadPath] = []
  var defaultPlacement = TemplateBanner.Placement.below
  var details: [DetailRule] = []
  var button: TemplateButtonRule?
}

enum AdvanceRule: Sendable {
  case manual
  case every(Double)
  /// A flag that turns the interval on.
  case ifTrue(PayloadPath, every: Double)
  /// The interval, unless a word says otherwise.
  case unless(PayloadPath, is: String, every: Double)
  /// The interval as a number of units, with `perSecond` units to the second; 0 means that pages do not advance.
  case interval(PayloadPath, perSecond: Double, default: Double?)
}

struct CarouselRule: Sendable {
  var advance = AdvanceRule.manual
  var wraps: [PayloadPath] = []
  /// Whether it wraps only if it advances by itself.
  var wrapsIfAdvancing = false
  var defaultWraps = true
  var layout: [PayloadPath] = []
  var layoutWords: [String: TemplateCarousel.Layout] = [:]
  var defaultLayout = TemplateCarousel.Layout.full
  var peek: [PayloadPath] = []
  var defaultPeek = 0.75
  var aspect: [PayloadPath] = []
  /// The aspects that words stand for; any other word is the default.
  var aspectWords: [String: Double] = [:]
  var defaultAspect: Double?
  var spacing: [PayloadPath] = []
  var defaultSpacing = 0.0
  var indicator: [PayloadPath] = []
  var defaultIndicator = true
  var pageBackground = ColorsRule()
}

struct TimerRule: Sendable {
  /// Seconds from the delivery; they are preferred.
  var duration: [PayloadPath] = []
  /// The time of the end.
  var end: [PayloadPath] = []
  /// A prefix that the time may have.
  var endPrefix = ""
  var expired = TextsRule()
  /// Whether the subtitle and the body disappear after the end if the expired texts have none.
  var dropsBody = false
  var keepsBody: [PayloadPath] = []
  var expiredMedia: [MediaField] = []
  var box = BoxRule()
}

struct RatingRule: Sendable {
  var scale: [PayloadPath] = []
  var defaultScale = 5
  /// The link of each star; a missing one is the first.
  var links: [PayloadPath] = []
  var commit: [PayloadPath] = []
  var defaultCommit = TemplateRating.Commit.tap
  var submitLink: [PayloadPath] = []
  var submitTitle: [PayloadPath] = []
  var details: [DetailRule] = []
  var chosenIcon: [MediaField] = []
  var icon: [MediaField] = []
}

struct CatalogRule: Sendable {
  var layout: [PayloadPath] = []
  /// The path of a flag for ``TemplateCatalog/Layout/row``.
  var isRow: [PayloadPath] = []
  var button: TemplateButtonRule?
}

struct WebRule: Sendable {
  var url: [PayloadPath] = []
  var aspect: [PayloadPath] = []
  var aspectWords: [String: Double] = [:]
  var defaultAspect = 1.0
}

struct QuestionRule: Sendable {
  var prompt: [PayloadPath] = []
  var choices: PayloadPath?
  var choiceID: [PayloadPath] = []
  var choiceTitle: [PayloadPath] = []
  var feedback = TextsRule()
  var feedbackMedia: [MediaField] = []
}
