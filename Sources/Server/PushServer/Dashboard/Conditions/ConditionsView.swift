import Markup
import PushModel

/// The builder of conditions, a part of a form.
///
/// Its buttons submit the form, which comes back with the change; a script replaces the part alone.
struct ConditionsView {
  var conditions: AudienceConditions
  var choices: ConditionChoices
  var request: PageRequest
  /// Whether the mistakes are shown, because the form was submitted.
  var showsProblems = false
  /// The identifier of the element that gets the focus.
  var focus: String?

  typealias Part = AudienceConditions.Part

  static let id = "who"

  var html: HTML {
    """
    <div id="\(Self.id)" data-path="\(request.path(.audiences))\(ConditionPages.path)">
    <fieldset class="rows"><legend>All of these conditions</legend>
    \(rows(shownRows, of: AudienceConditions.allList, in: "all"))
    \(note)
    </fieldset>
    \(groups(.any, title: "And at least one of these", joined: "or"))
    \(groups(.except, title: "But none of these", joined: "nor"))
    <noscript><p><button name="action" value="who_show">Update the menus</button></p></noscript>
    </div>
    """
  }

  /// The rows of all devices, of which a new form has one.
  private var shownRows: [ConditionRow] {
    conditions.rows.isEmpty && conditions.any.isEmpty && conditions.except.isEmpty
      ? [ConditionRow()] : conditions.rows
  }

  private var note: HTML? {
    guard choices.otherFields > 0 else { return nil }
    return """
      <p class="help">The menu has the first \(ConditionChoices.fieldLimit) attributes and events, and leaves out \
      \(choices.otherFields). Audiences that are made over the API can use them too.</p>
      """
  }

  // MARK: Groups

  private func groups(_ part: Part, title: String, joined word: String) -> HTML {
    let groups = conditions[part]
    let all = groups.enumerated().map { index, group -> HTML in
      let key = "\(part.rawValue)\(index)"
      return """
        \(index == 0 ? nil : "<p class=\"word\">\(word)</p>" as HTML)<fieldset class="group rows">\
        <legend>\(group.kind.title) <span class="hidden">\(index + 1) of \(title.lowercased())</span></legend>
        <input type="hidden" name="\(AudienceConditions.name(key, "kind"))" value="\(group.kind.rawValue)">
        \(content(of: group, in: part, index))</fieldset>
        """
    }
    let isFull = groups.count >= TargetParts.limit
    return """
      <div class="part"><p class="label">\(title)</p>
      \(all)
      <p class="row">\(isFull ? nil : "\(add(part, .conditions))\(add(part, .audience))\(add(part, .received))" as HTML)</p></div>
      """
  }

  private func add(_ part: Part, _ kind: ConditionGroup.Kind) -> HTML? {
    switch kind {
    case .conditions: break
    case .audience: guard !choices.audiences.isEmpty else { return nil }
    case .received: guard !choices.sends.isEmpty else { return nil }
    }
    let place: HTML = part == .any ? " as an alternative" : " to leave out"
    return button(
      AudienceConditions.name("group", part.rawValue, kind.rawValue),
      "Add \(kind.title.lowercased())<span class=\"hidden\">\(place)</span>")
  }

  private func content(of group: ConditionGroup, in part: Part, _ index: Int) -> HTML {
    let key = "\(part.rawValue)\(index)"
    let place = "\(index + 1) of \(part == .any ? "the alternatives" : "those left out")"
    let title: HTML = group.kind == .conditions ? "Remove group" : "Remove"
    let remove = button(
      AudienceConditions.name("remove", key), "\(title)<span class=\"hidden\"> \(place)</span>")
    switch group {
    case .conditions(let rows):
      return self.rows(rows, of: key, in: "group \(place)", beside: remove)
    case .audience(let id):
      let known = choices.audiences.contains { $0.id == id } || id.isEmpty
      let other = known ? [] : [(id, "Audience \(id)")]
      let options = [("", "Choose…")] + other + choices.audiences.map { ($0.id, $0.name) }
      return """
        <div class="row">\(menu(AudienceConditions.name(key, "audience"), "Audience, \(place)", options: options, chosen: id))\(remove)</div>
        \(problem(at: AudienceConditions.name(key, "audience")))
        """
    case .received(let send, let opened):
      let options = [("", "Choose…")] + choices.sends.map { ($0.id, $0.name) }
      let results = [
        ("", "received it"), ("true", "received and opened it"),
        ("false", "received it and did not open it"),
      ]
      return """
        <div class="row">\(menu(AudienceConditions.name(key, "send"), "Notification, \(place)", options: options, chosen: send))\
        \(menu(AudienceConditions.name(key, "opened"), "What the device did, \(place)", options: results, chosen: opened.map { String($0) } ?? ""))\(remove)</div>
        \(problem(at: AudienceConditions.name(key, "send")))
        """
    }
  }

  // MARK: Rows

  private func rows(
    _ rows: [ConditionRow], of list: String, in place: String, beside more: HTML? = nil
  ) -> HTML {
    let add: HTML? =
      rows.count >= Target.filterLimit
      ? nil
      : button(
        AudienceConditions.name("add", list),
        "Add condition<span class=\"hidden\"> to \(place)</span>")
    return """
      \(rows.enumerated().map { row($1, of: list, at: $0, in: place) })
      <p class="row">\(add)\(more)</p>
      """
  }

  private func row(
    _ row: ConditionRow, of list: String, at index: Int, in place: String
  ) -> HTML {
    ConditionRowView(
      row: row, list: list, index: index, place: place, choices: choices, focus: focus,
      problem: showsProblems
        ? problems.first { $0.field.hasPrefix(AudienceConditions.name(list, "\(index)", "")) } : nil
    ).html
  }

  private var problems: [(message: String, field: String)] { conditions.problems }

  private func problem(at field: String) -> HTML? {
    guard showsProblems, let problem = problems.first(where: { $0.field == field }) else {
      return nil
    }
    return "<p class=\"finding error\">\(problem.message)</p>"
  }

  // MARK: Elements

  private func button(_ action: String, _ title: HTML) -> HTML {
    ConditionRowView.button(action, title, focus: focus)
  }

  private func menu(
    _ name: String, _ label: String, options: [(value: String, title: String)], chosen: String
  ) -> HTML {
    let options = options.map { option -> HTML in
      "<option value=\"\(option.value)\"\(" selected", if: option.value == chosen)>\(option.title)</option>"
    }
    return """
      <select id="\(name)" name="\(name)" aria-label="\(label)"\(" autofocus", if: name == focus)>\(options)</select>
      """
  }
}

extension ConditionGroup.Kind {
  var title: String {
    switch self {
    case .conditions: "Group of conditions"
    case .audience: "Audience"
    case .received: "Receivers of a notification"
    }
  }
}
