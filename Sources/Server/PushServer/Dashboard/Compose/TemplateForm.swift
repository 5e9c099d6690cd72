import NotificationTemplates

/// The fields of the composer for a template of one kind.
struct TemplateForm: Sendable {
  var kind: TemplateKind
  /// The name in the menu.
  var title: String
  /// The purpose of the kind, below the menu.
  var purpose: String
  /// The fields that only this kind has, beside those of its pages.
  var ownFields: [TemplateField]
  /// The fields of each page; empty if the kind has no pages.
  var pageFields: [TemplateField] = []

  /// The fields of the kind, and those of all kinds.
  var fields: [TemplateField] { ownFields + Self.common }

  /// The members of the document that the fields write.
  var keys: Set<String> {
    Set(fields.compactMap(\.path.first) + ["version", "kind", "actions"])
      .union(pageFields.isEmpty ? [] : ["pages"])
  }

  /// The fields for a kind of template.
  static func of(_ kind: TemplateKind) -> TemplateForm {
    switch kind {
    case .text: TemplateForm(kind, title: "Text", purpose: "Texts alone.")
    case .banner:
      TemplateForm(
        kind, title: "Banner", purpose: "One picture with texts.",
        fields: media("Picture") + [
          TemplateField(
            "placement", "Place of the texts",
            as: .menu([("", "Below the picture"), ("over", "Over it"), ("beside", "Beside it")])),
          details, TemplateField("button.title", "Title of the drawn button"),
          TemplateField("button.link", "Link of the drawn button"),
        ])
    case .carousel:
      TemplateForm(
        kind, title: "Carousel", purpose: "Pages that a person moves through.",
        fields: [
          TemplateField(
            "advance", "Next page after (seconds)",
            as: .number(step: "any", range: TemplateLimits.advance),
            help: "If empty, only the person moves the pages."),
          TemplateField(
            "layout", "Layout",
            as: .menu([
              ("", "One page at a time"), ("peek", "With a part of the neighbors"),
              ("filmstrip", "Small pages in a row"),
            ])),
        ], pages: pictured + described)
    case .timer:
      TemplateForm(
        kind, title: "Countdown", purpose: "A countdown, and what is shown after its end.",
        fields: [
          TemplateField(
            "end", "Ends at", as: .time, help: "The same moment for everybody. In UTC."),
          TemplateField(
            "duration", "Or lasts (seconds)",
            as: .number(step: "1", range: 0...TemplateLimits.duration),
            help: "Counted from the delivery on each device. It replaces the end."),
        ] + media("Picture") + [
          TemplateField("expired.texts.title", "Title after the end"),
          TemplateField("expired.texts.body", "Body after the end", as: .area),
          TemplateField("expired.media.url", "Picture after the end", as: .media),
        ])
    case .rating: TemplateForm(kind, title: "Rating", purpose: "A row of stars.", fields: rating)
    case .catalog:
      TemplateForm(
        kind, title: "Catalog", purpose: "Products, of which one is shown large.",
        fields: [
          TemplateField(
            "layout", "Layout",
            as: .menu([("", "Texts below the pictures"), ("row", "Texts beside the button")])),
          TemplateField("button.title", "Title of the drawn button"),
          TemplateField("button.link", "Link of the drawn button"),
        ],
        pages: pictured + [TemplateField("price", "Price", help: "With its currency.")]
          + described)
    case .icons:
      TemplateForm(
        kind, title: "Icons", purpose: "A row of pictures, each with its link.",
        pages: pictured + described.filter { $0.path != ["body"] })
    case .actions:
      TemplateForm(
        kind, title: "Buttons", purpose: "Buttons, perhaps with a picture.",
        fields: media("Picture"))
    case .media:
      TemplateForm(
        kind, title: "Movie or sound",
        purpose: "One movie or sound, which plays in the notification.",
        fields: media("Movie or sound") + [
          TemplateField("poster.url", "Picture before it plays", as: .media)
        ])
    case .web:
      TemplateForm(
        kind, title: "Web page", purpose: "A page of a website.",
        fields: [
          TemplateField("url", "Address of the page", help: "It begins with https://."),
          TemplateField(
            "aspect", "Height to width", as: .number(step: "any", range: TemplateLimits.aspect)),
        ] + media("Picture where web pages are off"))
    case .input:
      TemplateForm(
        kind, title: "Text answer", purpose: "A question that people answer in their own words.",
        fields: [
          TemplateField("prompt", "Question"),
          TemplateField(
            answerAction, "Identifier of the text action",
            help:
              "That of the action in which people write, as the app registers it for the category."),
        ] + media("Picture") + feedback)
    case .poll:
      TemplateForm(
        kind, title: "Poll", purpose: "A question with choices.",
        fields: [
          TemplateField("prompt", "Question"),
          TemplateField(
            "choices", "Choices, one a line", as: .lines(key: "title"),
            help: "\(TemplateLimits.choices.lowerBound) to \(TemplateLimits.choices.upperBound)."),
        ] + media("Picture") + feedback)
    }
  }

  /// The path of the identifier of a text action, which is written into the template's actions.
  static let answerAction = "answer_action"

  private init(
    _ kind: TemplateKind, title: String, purpose: String, fields: [TemplateField] = [],
    pages: [TemplateField] = []
  ) {
    self.kind = kind
    self.title = title
    self.purpose = purpose
    ownFields = fields
    pageFields = pages
  }

  // MARK: Fields of several kinds

  /// The fields of all kinds.
  static let common = [
    TemplateField("texts.title", "Expanded title", help: "If empty, the title of the message."),
    TemplateField("texts.subtitle", "Expanded subtitle"),
    TemplateField(
      "texts.body", "Expanded body", as: .area, help: "If empty, the body of the message."),
    TemplateField("link", "Expanded link", help: "What a tap opens. If empty, the deep link."),
  ]

  private static let pictured = [
    TemplateField("media.url", "Picture", as: .media), description("media.alt"),
  ]

  private static let described = [
    TemplateField("title", "Title"), TemplateField("body", "Text", as: .area),
    TemplateField("link", "Link"),
    TemplateField("id", "Identifier", help: "The name in reports."),
  ]

  private static let details = TemplateField(
    "details", "Further lines of text", as: .lines(key: "text"),
    help: "At most \(TemplateLimits.details).")

  private static let feedback = [
    TemplateField("feedback.texts.title", "Title after the answer"),
    TemplateField("feedback.texts.body", "Body after the answer", as: .area),
  ]

  private static let rating: [TemplateField] = {
    let scale = TemplateLimits.scale
    return [
      TemplateField(
        "scale", "Stars",
        as: .number(step: "1", range: Double(scale.lowerBound)...Double(scale.upperBound)),
        help: "\(scale.lowerBound) to \(scale.upperBound)."),
      TemplateField(
        "commit", "A rating counts",
        as: .menu([("", "With the tap on a star"), ("submit", "With the button that submits it")])),
      TemplateField(
        "links", "Links of the stars, one a line", as: .lines(key: nil),
        help: "The first is also that of the stars without one."),
      TemplateField("submit.title", "Title of the submit button"),
      TemplateField("submit.link", "Link of the submit button"),
    ] + media("Picture") + [details]
  }()

  private static func media(_ label: String) -> [TemplateField] {
    [TemplateField("media.url", label, as: .media), description("media.alt")]
  }

  private static func description(_ path: String) -> TemplateField {
    TemplateField(path, "Description", help: "For people who do not see it.")
  }
}
