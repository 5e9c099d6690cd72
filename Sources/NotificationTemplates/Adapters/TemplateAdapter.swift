package import PushPayload

/// How one vendor's payloads describe expanded notifications: data, not code.
///
/// A payload belongs to the first adapter of the table whose gate it meets and that has a rule whose condition it meets.
package struct TemplateAdapter: Sendable {
  /// The vendor's dialect.
  package var id: Dialect.ID
  /// A condition that the payloads of all rules meet.
  var gate: Signature
  /// The categories under which the vendor's content extension is registered; empty where the app chooses.
  var categories: [String] = []
  /// Where the template's keys are, the preferred first; the first that is an object counts.
  ///
  /// In a rule, paths that begin with `$.` start at the top of the payload, and all others here.
  var roots: [PayloadPath] = [""]
  /// The paths of the vendor's identifier, which start at the top of the payload.
  var messageID: [PayloadPath] = []
  /// One rule for each template of the vendor, the preferred first.
  var rules: [TemplateRule]

  init(
    _ id: Dialect.ID, if gate: Signature, rules: [TemplateRule],
    configure: (inout TemplateAdapter) -> Void
  ) {
    self.id = id
    self.gate = gate
    self.rules = rules
    configure(&self)
  }
}

/// The paths from which one template is read.
struct TemplateRule: Sendable {
  /// The vendor's name of the template.
  var name: String
  var kind: TemplateKind
  /// A condition on the whole payload.
  var condition: Signature
  /// Where this template's keys are instead of ``TemplateAdapter/roots``.
  var roots: [PayloadPath]?
  /// Whether the rule stands for a template whose name is not known, so that it is reported.
  var unknownName: PayloadPath?

  var version: PayloadPath?
  var id: [PayloadPath] = []
  var expires: [PayloadPath] = []
  var tracking: PayloadPath?
  var texts = TextsRule()
  /// Whether a subtitle of the alert is shown.
  var showsAlertSubtitle = true
  var link: [PayloadPath] = []
  var style = StyleRule()
  /// The media, the preferred first; the first with a URL is used, and the next is its alternative.
  var media: [MediaField] = []
  /// The picture of a movie or a sound.
  var poster: [MediaField] = []
  /// The media come from the dialect's rules for attachments, each a page, or the first.
  var dialect: Dialect?
  /// What all media have that the payload does not say of each.
  var look = MediaLookRule()
  var items: [ItemRule] = []
  /// The most items that the vendor shows.
  var maximumItems = 10
  /// The identifiers of the category's buttons.
  var actions: [TemplateAction] = []
  var buttons: ButtonsRule?

  var banner = BannerRule()
  var carousel = CarouselRule()
  var timer = TimerRule()
  var rating = RatingRule()
  var catalog = CatalogRule()
  var web = WebRule()
  var question = QuestionRule()

  init(
    _ kind: TemplateKind, _ name: String, if condition: Signature,
    configure: (inout TemplateRule) -> Void = { _ in }
  ) {
    self.kind = kind
    self.name = name
    self.condition = condition
    configure(&self)
  }
}

/// Texts and whether they are HTML.
struct TextsRule: Sendable {
  var title: [PayloadPath] = []
  var subtitle: [PayloadPath] = []
  var body: [PayloadPath] = []
  var isHTML = false
  /// A condition on the whole payload under which they are HTML.
  var isHTMLIf: Signature?
}

/// How a color is written.
enum ColorForm: Sendable {
  /// Hexadecimal digits, the alpha last.
  case hex
  /// Hexadecimal digits, of which the last six count.
  case lastSixDigits
  /// A number of 24 bits; a string of digits is decimal unless it begins with `#`.
  case number
}

struct ColorsRule: Sendable {
  var light: [PayloadPath] = []
  var dark: [PayloadPath] = []
  var form = ColorForm.hex
  /// Whether the light color is also that of the dark appearance.
  var servesBoth = false

  init(
    _ light: PayloadPath..., dark: [PayloadPath] = [], form: ColorForm = .hex,
    servesBoth: Bool = false
  ) {
    self.light = light
    self.dark = dark
    self.form = form
    self.servesBoth = servesBoth
  }
}

struct StyleRule: Sendable {
  var background = ColorsRule()
  var title = ColorsRule()
  var body = ColorsRule()
  var accent = ColorsRule()
}

/// One place where a medium may be.
struct MediaField: Sendable {
  var url: [PayloadPath]
  var alt: [PayloadPath] = []
  /// The kind; `nil` for that of the URL's file name extension.
  var kind: TemplateMedia.Kind?
  /// A word that names the kind.
  var kindWord: [PayloadPath] = []
  var id: [PayloadPath] = []
  var alternative: [PayloadPath] = []
  var look: MediaLookRule?

  init(_ url: PayloadPath..., alt: [PayloadPath] = [], kind: TemplateMedia.Kind? = nil) {
    self.url = url
    self.alt = alt
    self.kind = kind
  }
}

/// How media are drawn.
struct MediaLookRule: Sendable {
  var fit: [PayloadPath] = []
  /// The words of ``fit``, in lower case; the paths' own are those of ``TemplateMedia/Fit``.
  var fitWords: [String: TemplateMedia.Fit] = ["fill": .fill, "fit": .fit]
  var defaultFit = TemplateMedia.Fit.fill
  var corner: [PayloadPath] = []
  var defaultCorner = 0.0
  var borderWidth: [PayloadPath] = []
  var borderColor = ColorsRule()
}

/// Pages, products or icons.
struct ItemRule: Sendable {
  /// The path of an item, or of all items of a list; empty for the root.
  var list: PayloadPath = ""
  /// What separates URLs in one string.
  var separator: Character?
  var id: [PayloadPath] = []
  var media: [MediaField]
  /// Widgets of which the first picture and the first text are read.
  var widgets: WidgetsRule?
  var title: [PayloadPath] = []
  var body: [PayloadPath] = []
  var price: [PayloadPath] = []
  var link: [PayloadPath] = []
  /// The paths without which the vendor leaves the item out.
  var required: [PayloadPath] = []

  init(_ list: PayloadPath, media: [MediaField], configure: (inout ItemRule) -> Void = { _ in }) {
    self.list = list
    self.media = media
    configure(&self)
  }
}

struct WidgetsRule: Sendable {
  var list: PayloadPath
  var type: PayloadPath
  var content: PayloadPath
  var picture: String
  var text: String
}

struct DetailRule: Sendable {
  var text: [PayloadPath]
  var colors = ColorsRule()
}

struct BoxRule: Sendable {
  var text = ColorsRule()
  var background = ColorsRule()
  var gradientFrom: [PayloadPath] = []
  var gradientTo: [PayloadPath] = []
  var gradientDegrees: [PayloadPath] = []
  /// The path of the word that says whether there is a gradient, and of which shape.
  var gradientStyle: [PayloadPath] = []
  var borderColor = ColorsRule()
  var borderWidth: [PayloadPath] = []
  /// The border's thickness where only its color is there.
  var defaultBorderWidth = 1.0
  var corner: [PayloadPath] = []
}

struct ButtonRuleOfTemplate: Sendable {
  var title: [PayloadPath] = []
  var link: [PayloadPath] = []
  var box = BoxRule()
}

/// The buttons that a payload names.
struct ButtonsRule: Sendable {
  var list: PayloadPath
  var id: [PayloadPath]
  var title: [PayloadPath]
  var effect: [PayloadPath]
  var link: [PayloadPath]
}

struct BannerRule: Sendable {
  var placement: [PayloadPath] = []
  var defaultPlacement = TemplateBanner.Placement.below
  var details: [DetailRule] = []
  var button: ButtonRuleOfTemplate?
}

enum AdvanceRule: Sendable {
  case manual
  case every(Double)
  /// A flag that turns the interval on.
  case ifTrue(PayloadPath, every: Double)
  /// The interval, unless a word says otherwise.
  case unless(PayloadPath, is: String, every: Double)
  /// The interval in units of so many to the second; 0 is none.
  case interval(PayloadPath, perSecond: Double, default: Double?)
}

struct CarouselRule: Sendable {
  var advance = AdvanceRule.manual
  var wraps: [PayloadPath] = []
  /// Whether it wraps only where it advances by itself.
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
  /// What the time may be preceded by.
  var endPrefix = ""
  var expired = TextsRule()
  /// Whether the body goes where the expired face has none.
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
  var button: ButtonRuleOfTemplate?
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
