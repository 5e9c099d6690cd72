import Markup

/// The search, the filters and the order of a list, which are in the list's address.
struct ListSearch: Sendable {
  /// A filter or an order with its possible values, of which the first one is that of an address without it.
  struct Choice: Sendable {
    /// The name in the address.
    var name: String
    var title: String
    /// Empty if only links set the value.
    var options: [(value: String, title: String)]

    init(name: String, title: String, options: [(value: String, title: String)]) {
      (self.name, self.title, self.options) = (name, title, options)
    }

    /// A filter by one of the cases of a type; `any` is the title of all of them.
    init<Value: CaseIterable & RawRepresentable<String>>(
      name: String, title: String, any: String, of type: Value.Type
    ) {
      let cases = type.allCases.map { (value: $0.rawValue, title: $0.rawValue) }
      self.init(name: name, title: title, options: [(value: "", title: any)] + cases)
    }

    /// The orders of a list, of which the first one is that of an address without it.
    static func order(_ options: (value: String, title: String)...) -> Choice {
      Choice(name: "sort", title: "Order", options: options)
    }

    /// Whether the list has what triggered campaigns send.
    static let triggered = Choice(
      name: "triggered", title: "Triggered campaigns",
      options: [("", "Without triggered campaigns"), ("1", "Triggered campaigns, too")])
    /// A label, which links in the list set.
    static let label = Choice(name: "label", title: "Label", options: [])
  }

  /// The path of the list.
  var path: String
  /// The label of the search field.
  var label: String
  var text = ""
  private var choices: [Choice] = []
  private var values: [String: String] = [:]

  /// Reads the address of a request; an unknown value counts as none.
  init(_ request: PageRequest, at path: String, label: String, choices: [Choice]) {
    (self.path, self.label, self.choices) = (path, label, choices)
    text = DisplayText.beginning(
      of: request.call.query("q") ?? "", upTo: RequestContext.queryLimit)
    for choice in choices {
      guard let value = request.call.query(choice.name), !value.isEmpty,
        choice.options.isEmpty || choice.options.contains(where: { $0.value == value })
      else { continue }
      values[choice.name] = value
    }
  }

  /// The value of a choice; empty if the address has none.
  subscript(name: String) -> String { values[name] ?? "" }

  /// Whether the list is searched or filtered; an order leaves nothing out.
  var isEmpty: Bool { text.isEmpty && values.keys.allSatisfy { $0 == "sort" } }

  /// The address of the list; `cursor` is that of a later page.
  func address(after cursor: String? = nil) -> String {
    let fields =
      [(name: "q", value: text)]
      + choices.map { (name: $0.name, value: self[$0.name]) } + [
        (name: "after", value: cursor ?? "")
      ]
    let form = Form(fields.filter { !$0.value.isEmpty })
    return form.fields.isEmpty ? path : "\(path)?\(form.urlEncoded)"
  }

  var form: HTML {
    """
    <form method="get" action="\(path)" class="row list-search" role="search">
    <label for="q" class="hidden">\(label)</label>
    <input id="q" name="q" placeholder="\(label)" value="\(text)" autocomplete="off" \
    maxlength="\(RequestContext.queryLimit)">
    \(choices.map(control))<button>Search</button>\
    \(isEmpty ? nil : "<a href=\"\(path)\">Show all</a>" as HTML)</form>
    """
  }

  /// The menu of a choice.
  ///
  /// One without options was made by a link, and is a mark that the search keeps.
  private func control(_ choice: Choice) -> HTML {
    let chosen = self[choice.name]
    guard !choice.options.isEmpty else {
      guard !chosen.isEmpty else { return "" }
      return """
        <input type="hidden" name="\(choice.name)" value="\(chosen)">\
        <span class="tag">\(choice.title): \(chosen)</span>

        """
    }
    let options = choice.options.map { option -> HTML in
      """
      <option value="\(option.value)"\(" selected", if: option.value == chosen)>\(option.title)</option>
      """
    }
    return """
      <label for="\(choice.name)-filter" class="hidden">\(choice.title)</label>
      <select id="\(choice.name)-filter" name="\(choice.name)">\(options)</select>

      """
  }

  /// The links to the first page and to the page after a cursor; `nil` if the list has one page.
  func pages(after cursor: String?, isFirst: Bool) -> HTML? {
    guard cursor != nil || !isFirst else { return nil }
    let links = HTML.pages(
      first: isFirst ? nil : address(), next: cursor.map { address(after: $0) })
    return "<div class=\"row\">\(links)</div>"
  }

  /// The note of a list of which nothing matches; `thing` is the name of one.
  func nothing(_ thing: String) -> HTML {
    """
    <p class="note" role="status">No \(thing) matches. <a href="\(path)">Show all \(thing)s</a></p>
    """
  }
}
