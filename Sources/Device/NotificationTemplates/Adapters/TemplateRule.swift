import PushPayload

/// The paths from which one template is read.
struct TemplateRule: Sendable {
  /// The vendor's name of the template.
  var name: String
  var kind: TemplateKind
  /// A condition on the whole payload.
  var condition: Signature
  /// The paths of the objects with this template's keys; `nil` uses ``TemplateAdapter/roots``.
  var roots: [PayloadPath]?
  /// Whether the rule stands for a template whose name is not known, so that it is reported.
  var unknownName: PayloadPath?

  var version: PayloadPath?
  var id: [PayloadPath] = []
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
  /// The look that applies to all media.
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
