/// A field of the composer for one value of `_martlet.template`.
///
/// ``ComposeField`` has the fields of every notification. These fields are those of one kind of template,
/// and of its pages.
struct TemplateField: Sendable {
  /// The control that enters the value, and the JSON that it becomes.
  enum Control: Sendable {
    case line, area
    /// A URL, or a file that is uploaded.
    case media
    case number(step: StaticString, range: ClosedRange<Double>)
    case time
    /// A menu of words, each with its title; the first one is the default.
    case menu([(word: String, title: String)])
    /// An array with an element for each line: a text, or an object that has the text at a key.
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

  /// The title of the field in a message: `Title of page 2`.
  func title(inPage page: Int?) -> String { page.map { "\(label) of page \($0 + 1)" } ?? label }

  static func prefix(ofPage page: Int?) -> String { page.map { "page\($0)_" } ?? "template_" }

  /// The number of the page and the rest of the field's name; `nil` if the field is not one of a page.
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
