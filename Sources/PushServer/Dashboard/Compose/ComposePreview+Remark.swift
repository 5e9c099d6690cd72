import PayloadLint

extension ComposePreview {
  /// A finding about a field of the form; about the whole form where the field is `nil`.
  struct Remark: Sendable {
    var field: ComposeField?
    var severity: String
    var message: String
    var advice: String?
    /// The name of a field that ``ComposeField`` does not have: one of a template, or of another form.
    var otherField: String?

    /// The name of the form's field; `nil` for a remark on the whole form.
    var place: String? { otherField ?? field?.rawValue }

    /// A remark without whose remedy the form cannot be sent.
    static func refusal(_ message: String, at place: String) -> Remark {
      let field = ComposeField(rawValue: place)
      return Remark(
        field: field, severity: ComposePreview.refusal, message: message,
        otherField: field == nil ? place : nil)
    }
  }
}

extension ComposePreview.Remark {
  /// A refusal by the API, in the words of the form.
  init(_ error: APIError) {
    let field = error.path.flatMap(ComposeField.init(path:))
    self.init(
      field: field, severity: ComposePreview.refusal, message: Self.words(of: error, at: field))
  }

  /// The message of an error with the titles of fields in place of JSON paths and keys, which the form does not show.
  private static func words(of error: APIError, at field: ComposeField?) -> String {
    guard let path = error.path, error.message.hasPrefix(path) else { return error.message }
    var problem = String(error.message.dropFirst(path.count))
    for field in ComposeField.allCases where field.rawValue.contains("_") {
      problem = problem.replacing(field.rawValue, with: "“\(field.title)”")
    }
    problem = problem.replacing(
      "set _overflow to shorten", with: "choose “\(ComposeField.shorten.title)”")
    if field == .buttons, let match = path.firstMatch(of: /buttons\[(\d+)\]/),
      let row = Int(match.1)
    {
      return "Button \(row + 1)" + problem
    }
    let key = path.split(separator: ".").last.map(String.init) ?? ""
    let isWhole = ["$", "notification", "message", "payload"].contains(key)
    return (field?.title ?? (isWhole ? "The notification" : "“\(key)”")) + problem
  }

  init(_ entry: LintReport.Entry, in form: ComposeForm) {
    let place = form.place(ofTemplatePath: entry.path)
    self.init(
      field: place == nil ? ComposeField(path: entry.path) : nil,
      severity: entry.rule.severity.rawValue,
      message: place.map { "\($0.title) \(entry.message)" } ?? entry.message,
      advice: entry.rule.fix, otherField: place?.name)
  }
}
