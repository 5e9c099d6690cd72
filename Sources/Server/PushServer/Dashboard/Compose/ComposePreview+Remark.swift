import PayloadLint

extension ComposePreview {
  /// A finding about a field of the form, or about the whole form if the field is `nil`.
  struct Remark: Sendable {
    var field: ComposeField?
    var severity: String
    var message: String
    var advice: String?
    /// The name of a field that is not a ``ComposeField``, such as one of a template or of another form.
    var otherField: String?

    /// The name of the form's field; `nil` if the remark is about the whole form.
    var place: String? { otherField ?? field?.rawValue }

    /// A remark that prevents the form from being sent.
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
  init(_ error: RequestError) {
    let field = error.path.flatMap(ComposeField.init(path:))
    if let field, let language = error.path.flatMap(Self.language) {
      let title = ComposeForm.title(of: field, in: language)
      self = .refusal(
        Self.words(of: error, at: field, titled: title), at: ComposeForm.name(field, in: language))
    } else {
      self.init(
        field: field, severity: ComposePreview.refusal,
        message: Self.words(of: error, at: field, titled: field?.title))
    }
  }

  /// The language of the text at a path of the request: `$.notification.payload.title.fr`.
  private static func language(ofTextAt path: String) -> String? {
    guard let match = path.firstMatch(of: /\.(?:title|subtitle|alert)\.([A-Za-z0-9-]+)$/),
      TextLocale.isLocale(String(match.1))
    else { return nil }
    return TextLocale.normalized(String(match.1))
  }

  /// The message of an error, with the titles of fields in place of JSON paths and keys.
  private static func words(
    of error: RequestError, at field: ComposeField?, titled title: String?
  ) -> String {
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
    return (title ?? (isWhole ? "The notification" : "“\(key)”")) + problem
  }

  /// A warning about the text at a path of the request.
  init(warning message: String, advice: String?, path: String, in form: ComposeForm) {
    let place = form.place(ofTemplatePath: path)
    let field = place == nil ? ComposeField(path: path) : nil
    self.init(
      field: field, severity: ComposePreview.warning, message: message, advice: advice,
      otherField: place?.name)
    if let field, let language = Self.language(ofTextAt: path) {
      otherField = ComposeForm.name(field, in: language)
      self.field = nil
    }
  }

  init(_ entry: LintReport.Entry, in form: ComposeForm) {
    let place = form.place(ofTemplatePath: entry.path)
    let field = place == nil ? ComposeField(path: entry.path) : nil
    self.init(
      field: field, severity: entry.rule.severity.rawValue,
      message: "\(place?.title ?? field?.title ?? "The notification") \(entry.message)",
      advice: entry.rule.fix, otherField: place?.name)
  }
}
