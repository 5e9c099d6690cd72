/// A field of the composer for one value of `_martlet.template`.
///
/// It stands beside ``ComposeField``, which has the fields of every notification: these are those of one kind of template,
/// and those of each page.
struct TemplateField: Sendable {
  /// How the value is entered, and which JSON it becomes.
  enum Control: Sendable {
    case line, area
    /// A URL, or a file that is uploaded.
    case media
    case number(step: StaticString, range: ClosedRange<Double>)
    case time
    /// A word of the document with its title; the first one stands where nothing is chosen.
    case menu([(word: String, title: String)])
    /// An array with an element for each line: a text, or an object with the text in a key.
    case lines(key: String?)
  }

  /// The keys from the template, or from a page, to the value.
  var path: [String]
  var label: String
  var control: Control
  var help: String?

  init(_ path: String, _ label: String, as control: Control = .line, help: String? = nil) {
    self.path = path.split(separator: ".").map(String.init)
    self.label = label
    self.control = control
    self.help = help
  }

  /// The name of the form's field; pages are numbered from 0.
  func name(inPage page: Int? = nil) -> String {
    Self.prefix(ofPage: page) + path.joined(separator: "_")
  }

  /// How the field is called in a message: `Title of page 2`.
  func title(inPage page: Int?) -> String { page.map { "\(label) of page \($0 + 1)" } ?? label }

  static func prefix(ofPage page: Int?) -> String { page.map { "page\($0)_" } ?? "template_" }

  /// The number and the rest of the name of a page's field; `nil` for the name of another field.
  static func page(ofName name: String) -> (page: Int, rest: String)? {
    guard let match = name.wholeMatch(of: /page(\d{1,2})_([a-z_]+)/), let page = Int(match.1) else {
      return nil
    }
    return (page, String(match.2))
  }

  /// Whether a field belongs to the template of any kind.
  static func isPart(_ name: String) -> Bool {
    name.hasPrefix("template_") || name == "pages" || page(ofName: name) != nil
  }

  /// The field for the URL of an uploaded file, by the name of the file's field.
  static func destination(ofUpload name: String) -> String? {
    if name == "file" { return ComposeField.media.rawValue }
    guard name.hasSuffix("_url_file"), isPart(name) else { return nil }
    return String(name.dropLast("_file".count))
  }
}
