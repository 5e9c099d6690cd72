import Markup
import PushModel

/// One row of the builder: the field, the comparison, its values, and the button that removes it.
struct ConditionRowView {
  var row: ConditionRow
  var list: String
  var index: Int
  /// The list in words, for people who hear the page.
  var place: String
  var choices: ConditionChoices
  var focus: String?
  var problem: (message: String, field: String)?

  /// The submit button of an action, whose identifier is the action.
  static func button(_ action: String, _ title: HTML, focus: String?) -> HTML {
    """
    <button class="small" id="\(action)" name="action" value="\(action)"\(" autofocus", if: action == focus)>\
    \(title)</button>
    """
  }

  var html: HTML {
    let number = "condition \(index + 1) of \(place)"
    let remove = Self.button(
      AudienceConditions.name("remove", list, "\(index)"),
      "Remove<span class=\"hidden\"> \(number)</span>", focus: focus)
    return """
      <div class="condition">\(row.isKept ? kept : row.isEmpty ? unchosen : "\(fieldMenu)\(comparisonMenu)\(values)")\(remove)</div>
      \(problem.map { "<p class=\"finding error\" id=\"\(problemID)\">\($0.message)</p>" as HTML })
      """
  }

  private var problemID: String { id("problem") }
  private func id(_ part: String) -> String { AudienceConditions.name(list, "\(index)", part) }

  /// The attributes of a part: its identifier, its name and its label.
  private func attributes(_ part: String, _ label: String) -> HTML {
    """
    id="\(id(part))" name="\(AudienceConditions.name(list, part))" \
    aria-label="\(label), condition \(index + 1) of \(place)"\
    \(" aria-invalid=\"true\" aria-describedby=\"\(problemID)\"", if: problem?.field == id(part))\
    \(" autofocus", if: focus == id(part))
    """
  }

  private func hidden(_ part: String, _ value: String) -> HTML {
    "<input type=\"hidden\" name=\"\(AudienceConditions.name(list, part))\" value=\"\(value)\">"
  }

  /// A filter that no row can show, in words and unchanged.
  private var kept: HTML {
    """
    \(hidden("field", row.field))\(hidden("is", row.comparison.rawValue))\(hidden("value", row.value))\
    \(hidden("extra", ""))<p class="kept">\(row.words) <span class="muted">Made over the API; it can be removed, \
    and not changed here.</span></p>
    """
  }

  /// A row without a field, which alone decides what can be compared.
  private var unchosen: HTML {
    """
    \(fieldMenu)\(hidden("is", ""))\(hidden("value", row.value))\(hidden("extra", row.extra))
    """
  }

  // MARK: The field

  private var fieldMenu: HTML {
    let isUnknown = !row.isEmpty && row.parsedField == nil
    let other: HTML? =
      isUnknown ? "<option value=\"\(row.field)\" selected>\(row.field): not known</option>" : nil
    return """
      <select \(attributes("field", "Field"))><option value="">Choose a field…</option>\(other)\
      \(group("Attributes", options(choices.attributes, ofEvents: false)))\(group("Events", options(choices.events, ofEvents: true)))\
      \(Filter.BuiltIn.groups.compactMap { group($0.title, $0.fields.map(Filter.Field.builtIn)) })</select>
      """
  }

  /// The fields of the menu, with the chosen one if no device has it.
  private func options(_ fields: [Filter.Field], ofEvents isEvents: Bool) -> [Filter.Field] {
    guard let field = row.parsedField, !fields.contains(field) else { return fields }
    switch field {
    case .builtIn: return fields
    case .event: return isEvents ? fields + [field] : fields
    case .attribute: return isEvents ? fields : fields + [field]
    }
  }

  private func group(_ title: String, _ fields: [Filter.Field]) -> HTML? {
    guard !fields.isEmpty else { return nil }
    let options = fields.map { field -> HTML in
      var words = field.title
      if case .attribute = field, let kind = ConditionKind(field).word { words += " (\(kind))" }
      return """
        <option value="\(field.apiName)"\(" selected", if: field == row.parsedField?.indexed)>\(words)</option>
        """
    }
    return "<optgroup label=\"\(title)\">\(options)</optgroup>"
  }

  // MARK: The comparison and its values

  private var comparisonMenu: HTML {
    let kind = row.kind
    let options = kind.comparisons.map { comparison -> HTML in
      """
      <option value="\(comparison.rawValue)"\(" selected", if: comparison == row.comparison)>\
      \(comparison.title(for: kind))</option>
      """
    }
    return "<select \(attributes("is", "Comparison"))>\(options)</select>"
  }

  private var values: HTML {
    switch row.comparison.input(for: row.kind) {
    case .nothing: "\(hidden("value", row.value))\(hidden("extra", row.extra))<span></span>"
    case .text: "\(text("Value"))\(hidden("extra", row.extra))"
    case .list:
      "\(text("Values, separated by commas", hint: "a, b, c"))\(hidden("extra", row.extra))"
    case .number: "\(number("value", row.value, label: "Value"))\(hidden("extra", row.extra))"
    case .times: "\(number("value", row.value, label: "Times"))\(hidden("extra", row.extra))"
    case .date: "\(date)\(hidden("extra", row.extra))"
    case .period:
      "<span class=\"two\">\(number("value", row.value, label: "Amount"))\(units)</span>"
    case .range:
      """
      <span class="two">\(number("value", row.value, label: "From"))\(number("extra", row.extra, label: "To"))</span>
      """
    case .circle:
      """
      <span class="two"><input \(attributes("value", "Latitude, longitude")) value="\(row.value)" \
      placeholder="52.52, 13.40" autocomplete="off">\
      <input \(attributes("extra", "Radius in metres")) value="\(row.extra)" placeholder="metres" inputmode="decimal" \
      autocomplete="off"></span>
      """
    }
  }

  private func text(_ label: String, hint: String? = nil) -> HTML {
    let known = row.isEmpty ? nil : choices.values[row.field]
    let options = (known?.values ?? []).map { value -> HTML in
      """
      <option value="\(value.text)" label="\(value.text) · \(AudienceReach.devices(value.devices))">
      """
    }
    let listID = id("list")
    let list: HTML? =
      known.map {
        "<datalist id=\"\(listID)\"\(" data-more=\"\"", if: !$0.isWhole)>\(options)</datalist>"
      }
    return """
      <span class="one"><input \(attributes("value", label)) value="\(row.value)" \
      \(" list=\"\(listID)\"", if: list != nil)\
      \(hint.map { " placeholder=\"\($0)\"" as HTML }) autocomplete="off" spellcheck="false">\(list)</span>
      """
  }

  private func number(_ part: String, _ value: String, label: String) -> HTML {
    """
    <input \(attributes(part, label)) value="\(value)" inputmode="decimal" autocomplete="off">
    """
  }

  private var date: HTML {
    // The picker of browsers would lose a time of day.
    let isDay = row.value.isEmpty || row.value.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil
    return """
      <input type="\(isDay ? "date" as HTML : "text")" \(attributes("value", "Date in UTC")) value="\(row.value)">
      """
  }

  private var units: HTML {
    let options = RelativeDate.Unit.allCases.map { unit -> HTML in
      "<option value=\"\(unit.letter)\"\(" selected", if: unit.letter == row.extra)>\(unit.rawValue)s</option>"
    }
    return "<select \(attributes("extra", "Unit"))>\(options)</select>"
  }
}
