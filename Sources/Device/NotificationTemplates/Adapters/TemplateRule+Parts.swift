import PushPayload

/// Texts and whether they are HTML.
struct TextsRule: Sendable {
  var title: [PayloadPath] = []
  var subtitle: [PayloadPath] = []
  var body: [PayloadPath] = []
  var isHTML = false
  /// A condition on the whole payload; if it is met, the texts are HTML.
  var isHTMLIf: Signature?
}

/// The notation of a color.
enum ColorForm: Sendable {
  /// Hexadecimal digits, the alpha last.
  case hex
  /// Hexadecimal digits; only the last six count.
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

/// The paths and defaults of the look of media.
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
  /// The separator of several URLs in one string.
  var separator: Character?
  var id: [PayloadPath] = []
  var media: [MediaField]
  /// A list of widgets; its first picture and its first text are read.
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
  /// The path of a word that names the gradient's shape; for any other word the box has no gradient.
  var gradientStyle: [PayloadPath] = []
  var borderColor = ColorsRule()
  var borderWidth: [PayloadPath] = []
  /// The border's thickness if the payload has only its color.
  var defaultBorderWidth = 1.0
  var corner: [PayloadPath] = []
}

struct TemplateButtonRule: Sendable {
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
