import Markup

extension PersonSearch {
  /// The sentence that nobody is found, with what the text is if its kind is known.
  var nobody: HTML {
    let form = PushToken.foreignForm(of: text).map { " The text is \($0.name)." } ?? ""
    return "Nobody is found by “\(text)”.\(form)"
  }

  /// The ways that were tried and found nothing, and those that were not tried, each with the reason.
  var tried: HTML {
    let fruitless = attempts.filter { $0.found == 0 }.map(\.name)
    return """
      <p class="help">\(devices.isEmpty ? "Tried" : "Also tried, and found nothing"): \
      \(fruitless.isEmpty ? "–" : fruitless.joined(separator: "; ")).</p>\
      \(untried.isEmpty ? nil : "<p class=\"help\">Not tried: \(untried.joined(separator: "; ")).</p>" as HTML)
      """
  }
}
