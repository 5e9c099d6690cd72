import PushPayload

/// An action button of the expanded notification, as a row of the form holds it.
struct ComposeButton: Sendable, Hashable {
  /// The options of a button and their labels, named after Apple's `UNNotificationActionOptions`.
  static let options = [
    ("foreground", "Opens the app"), ("destructive", "Destructive"),
    ("authentication_required", "Requires unlocking"),
  ]
  /// The number of rows: iOS displays up to four actions.
  static let limit = 4

  var title = ""
  var id = ""
  var url = ""
  var options: [String] = []

  var isEmpty: Bool { title.isEmpty && id.isEmpty && url.isEmpty }

  /// Whether a field of the form belongs to a button.
  static func isPart(_ name: String) -> Bool { name.wholeMatch(of: /button\d_[a-z_]+/) != nil }

  static func fieldName(row: Int, _ part: String) -> String { "button\(row)_\(part)" }
}

extension ComposeForm {
  /// All rows, including empty ones.
  var buttonRows: [ComposeButton] {
    (0..<ComposeButton.limit).map { row in
      func part(_ name: String) -> String { form[ComposeButton.fieldName(row: row, name)] ?? "" }
      return ComposeButton(
        title: part("title"), id: part("id"), url: part("url"),
        options: ComposeButton.options.map(\.0).filter { !part($0).isEmpty })
    }
  }

  /// The value of `_martlet.buttons`; `nil` if all rows are empty.
  ///
  /// - Throws: ``RequestError`` `.invalid` if a button has no title.
  func buttons() throws(RequestError) -> JSONValue? {
    var buttons: [JSONValue] = []
    for (_, button) in try titledButtons() {
      var members: [String: JSONValue] = ["title": .string(button.title)]
      if !button.id.isEmpty { members["id"] = .string(button.id) }
      if !button.url.isEmpty { members["url"] = .string(button.url) }
      if !button.options.isEmpty {
        members["options"] = .array(button.options.map(JSONValue.string))
      }
      buttons.append(.object(members))
    }
    return buttons.isEmpty ? nil : .array(buttons)
  }

  /// The rows that are not empty, with their numbers.
  ///
  /// - Throws: ``RequestError`` `.invalid` if a button has no title.
  func titledButtons() throws(RequestError) -> [(row: Int, button: ComposeButton)] {
    var buttons: [(row: Int, button: ComposeButton)] = []
    for (row, button) in buttonRows.enumerated() where !button.isEmpty {
      guard !button.title.isEmpty else {
        throw .refused(
          "$._martlet.buttons[\(row)]", "has no title; give the button a title or clear its row")
      }
      buttons.append((row, button))
    }
    return buttons
  }

  /// Fills the rows from `_martlet.buttons`.
  ///
  /// - Returns: `false`, with the form unchanged, if a row cannot hold everything of a button.
  mutating func fillButtons(from value: JSONValue) -> Bool {
    guard let array = value.array, array.count <= ComposeButton.limit else { return false }
    var buttons: [ComposeButton] = []
    for element in array {
      guard let members = element.object, let title = members["title"]?.string,
        members.keys.allSatisfy({ ["title", "id", "url", "options"].contains($0) })
      else { return false }
      let options = (members["options"]?.array ?? []).compactMap(\.string)
      let known = ComposeButton.options.map(\.0)
      guard options.count == members["options"]?.array?.count ?? 0,
        options.allSatisfy(known.contains)
      else { return false }
      buttons.append(
        ComposeButton(
          title: title, id: members["id"]?.string ?? "", url: members["url"]?.string ?? "",
          options: options))
    }
    for (row, button) in buttons.enumerated() {
      let parts = [("title", button.title), ("id", button.id), ("url", button.url)]
      for (name, text) in parts where !text.isEmpty {
        set(ComposeButton.fieldName(row: row, name), text)
      }
      for option in button.options { set(ComposeButton.fieldName(row: row, option), "on") }
    }
    return true
  }
}
