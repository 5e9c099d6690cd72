import NotificationTemplates
import PushModel
import PushPayload

extension ComposeForm {
  /// The category of a notification with a template, unless the form names another one.
  ///
  /// The content extension in docs/app/templates.md has this category.
  static let templateCategory = "expanded"

  /// The field with the part of the message whose tab is open; empty for the notification as it arrives.
  static let partField = "message_part"
  /// The value of ``partField`` for the expanded notification.
  static let expandedPart = "expanded"

  /// The fields of the chosen template; `nil` if no template is chosen.
  var template: TemplateForm? { TemplateKind(rawValue: self[.template]).map(TemplateForm.of) }

  /// The number of pages that the form shows.
  var pageCount: Int {
    guard let range = template?.kind.itemCount else { return 0 }
    let count = form["pages"].flatMap { Int($0) } ?? range.lowerBound
    return min(max(count, range.lowerBound), range.upperBound)
  }

  /// The numbers of the pages that are not empty, in order: page 2 of the document may be page 3 of the form.
  var filledPages: [Int] {
    guard let template else { return [] }
    return (0..<pageCount).filter { page in
      template.pageFields.contains { form[$0.name(inPage: page)] != nil }
    }
  }

  /// The value of `_martlet.template`; `nil` if no template is chosen.
  ///
  /// It has the values as they were entered; ``templateProblems`` are those that phones cannot read.
  ///
  /// - Throws: ``RequestError`` `.invalid` if a button has no title.
  func templateDocument() throws(RequestError) -> JSONValue? {
    guard let template else { return nil }
    var document: JSONValue = [
      "version": .integer(Int64(NotificationTemplate.currentVersion)),
      "kind": .string(template.kind.rawValue),
    ]
    for field in template.fields where field.path != [TemplateForm.answerAction] {
      document.set(value(of: field), at: field.path[...])
    }
    if document["link"] == nil, !self[.link].isEmpty {
      document.set(.string(self[.link]), at: ["link"])
    }
    let pages = filledPages.map { number in
      var page: JSONValue = [:]
      for field in template.pageFields {
        page.set(value(of: field, inPage: number), at: field.path[...])
      }
      return page
    }
    if !pages.isEmpty { document.set(.array(pages), at: ["pages"]) }
    let actions = try templateActions(template)
    if !actions.isEmpty { document.set(.array(actions), at: ["actions"]) }
    return document
  }

  /// The buttons as the template's own, because iOS shows a template only with a category, which replaces
  /// `_martlet.buttons`.
  private func templateActions(_ template: TemplateForm) throws(RequestError) -> [JSONValue] {
    var actions: [JSONValue] = []
    if template.kind == .input, let id = form[Self.answerField] {
      actions.append(["id": .string(id), "effect": "submit"])
    }
    for (row, button) in try titledButtons() {
      var members: [String: JSONValue] = [
        "id": .string(button.id.isEmpty ? String(row) : button.id), "title": .string(button.title),
        "effect": button.url.isEmpty ? "forward" : "open",
      ]
      if !button.url.isEmpty { members["link"] = .string(button.url) }
      actions.append(.object(members))
    }
    return actions
  }

  /// The field with the identifier of the text action.
  private static let answerField = "template_" + TemplateForm.answerAction

  private func value(of field: TemplateField, inPage page: Int? = nil) -> JSONValue? {
    let name = field.name(inPage: page)
    guard let text = form[name] else { return nil }
    switch field.control {
    case .line, .area, .media, .menu: return .string(text)
    case .number: return .entered(text)
    case .time: return .string(time(text, offset: form[name + "_offset"]))
    case .lines(let key):
      let lines = text.split(separator: "\n").map { JSONValue.string(String($0)) }
      return .array(key.map { key in lines.map { [key: $0] } } ?? lines)
    }
  }

  // MARK: From a document

  /// Fills the fields of a template from `_martlet.template`.
  ///
  /// - Returns: The members without a field; `nil`, with the form unchanged, if the fields cannot hold all
  ///   the others.
  mutating func fillTemplate(from document: JSONValue) -> [String: JSONValue]? {
    guard let members = document.object,
      let kind = members["kind"]?.string.flatMap(TemplateKind.init(rawValue:))
    else { return nil }
    let template = TemplateForm.of(kind)
    var filled = self
    filled[.template] = kind.rawValue
    for field in template.fields {
      filled.fill(field, inPage: nil, from: document)
    }
    if form["template_link"] == nil, members["link"]?.string == self[.link] {
      filled.set("template_link", "")
    }
    let pages = members["pages"]?.array ?? []
    filled.set("pages", String(pages.count))
    for (number, page) in pages.enumerated() {
      for field in template.pageFields { filled.fill(field, inPage: number, from: page) }
    }
    filled.fillActions(from: members["actions"]?.array ?? [], of: kind)
    let own = members.filter { template.keys.contains($0.key) }
    guard let written = try? filled.templateDocument(),
      written == .object(own) || written.isRead(like: .object(own))
    else { return nil }
    self = filled
    return members.filter { !template.keys.contains($0.key) }
  }

  private mutating func fill(
    _ field: TemplateField, inPage page: Int?, from document: JSONValue
  ) {
    var value: JSONValue? = document
    for key in field.path { value = value?[key] }
    let text: String? =
      switch field.control {
      case .lines(let key):
        value?.array?.compactMap { element in (key.map { element[$0] } ?? element)?.entry }
          .joined(separator: "\n")
      case .time: value.flatMap(Timestamp.init(template:))?.inputValue
      default: value?.entry
      }
    guard let text, !text.isEmpty else { return }
    set(field.name(inPage: page), text)
  }

  private mutating func fillActions(from actions: [JSONValue], of kind: TemplateKind) {
    var rest = actions[...]
    if kind == .input, rest.first?["effect"] == "submit", let id = rest.first?["id"]?.string {
      set(Self.answerField, id)
      rest = rest.dropFirst()
    }
    for (row, action) in rest.prefix(ComposeButton.limit).enumerated() {
      let id = action["id"]?.string == String(row) ? nil : action["id"]?.string
      for (part, text) in [
        ("title", action["title"]?.string), ("id", id), ("url", action["link"]?.string),
      ] {
        if let text { set(ComposeButton.fieldName(row: row, part), text) }
      }
    }
  }
}

extension JSONValue {
  /// A number, or the unchanged text, so that the API refuses it and names the allowed values.
  static func entered(_ text: String) -> JSONValue {
    decimal(text) ?? .string(text)
  }

  /// A text or a number as it is entered.
  fileprivate var entry: String? {
    string ?? integer.map { String($0) } ?? number.map { $0.description }
  }

  /// Sets a value at the keys of a path, and creates the objects on the way.
  fileprivate mutating func set(_ value: JSONValue?, at path: ArraySlice<String>) {
    guard let value, let key = path.first else { return }
    var members = object ?? [:]
    if path.count == 1 {
      members[key] = value
    } else {
      var inner = members[key] ?? [:]
      inner.set(value, at: path.dropFirst())
      members[key] = inner
    }
    self = .object(members)
  }

  /// Whether a phone reads two documents as the same template, and both completely.
  fileprivate func isRead(like other: JSONValue) -> Bool {
    let readings = [self, other].map { document in
      TemplateTable.standard.read(
        ["aps": ["category": "expanded"], "_martlet": ["template": document]], delivered: 0)
    }
    return readings[0] == readings[1] && readings[0].findings.isEmpty
  }
}
