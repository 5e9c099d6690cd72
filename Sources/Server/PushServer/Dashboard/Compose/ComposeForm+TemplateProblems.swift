import Foundation
import NotificationTemplates
import PushPayload

extension ComposeForm {
  private static let templatePath = "._martlet.template"

  /// The values of the chosen template that phones would leave out, each at its field.
  ///
  /// The limits are those of `NotificationTemplates`, which reads the document as a phone does. A value with Liquid
  /// differs between devices and is not checked.
  var templateProblems: [ComposePreview.Remark] {
    guard kind != .message, let template, let document = try? templateDocument() else { return [] }
    let payload: JSONValue = [
      "aps": ["category": .string(Self.templateCategory)], "_martlet": ["template": document],
    ]
    return TemplateTable.standard.read(payload, delivered: 0).findings.compactMap { finding in
      if finding.code == .degraded {
        return lack(of: template)
      }
      guard let place = place(ofTemplatePath: finding.path),
        form[place.name].map({ !JSONValue.string($0).hasLiquid }) ?? true
      else { return nil }
      return .refusal("\(place.title) \(finding.message).", at: place.name)
    }
  }

  /// The field to which a path of `_martlet.template` belongs, with its title; `nil` if it is another path.
  func place(ofTemplatePath path: String) -> (name: String, title: String)? {
    guard let template, let start = path.range(of: Self.templatePath) else { return nil }
    let rest = path[start.upperBound...].drop { $0 == "." }
    if let match = rest.wholeMatch(of: /pages\[(\d+)\](?:\.(.+))?/), let index = Int(match.1),
      filledPages.indices.contains(index)
    {
      let page = filledPages[index]
      if let field = template.pageFields.first(where: { $0.holds(match.2 ?? "") }) {
        return (field.name(inPage: page), field.title(inPage: page))
      }
      let name = template.pageFields.first?.name(inPage: page) ?? ComposeField.template.rawValue
      return (name, "Page \(page + 1)")
    }
    if rest.hasPrefix("actions") {
      let part = rest.split(separator: ".").last.map(String.init) ?? ""
      let titles = ["id": "Identifier of a button", "link": "Link of a button"]
      return (ComposeField.buttons.rawValue, titles[part] ?? "Title of a button")
    }
    guard let field = template.fields.first(where: { $0.holds(rest) }) else {
      return (ComposeField.template.rawValue, template.title)
    }
    return (field.name(), field.title(inPage: nil))
  }

  /// The problem of a document that has too few values for its kind.
  private func lack(of template: TemplateForm) -> ComposePreview.Remark {
    func at(_ path: String, _ message: String) -> ComposePreview.Remark {
      let field = template.fields.first { $0.path.joined(separator: ".") == path }
      return .refusal(message, at: field?.name() ?? ComposeField.template.rawValue)
    }
    switch template.kind {
    case .carousel, .catalog, .icons:
      let range = template.kind.itemCount ?? 1...1
      let first = (0..<pageCount).first { form["page\($0)_media_url"] == nil }
      return .refusal(
        "“\(template.title)” needs \(range.lowerBound) to \(range.upperBound) pages with a picture.",
        at: first.map { "page\($0)_media_url" } ?? ComposeField.template.rawValue)
    case .banner: return at("media.url", "Enter the URL of a picture, or upload one.")
    case .timer: return at("end", "Enter when the countdown ends, or how long it lasts.")
    case .rating:
      return at("links", "Enter a link for the stars, or let the submit button count the rating.")
    case .media: return at("media.url", "Enter the URL of a movie or a sound, or upload one.")
    case .web: return at("url", "Enter an address that begins with https://.")
    case .poll:
      let range = TemplateLimits.choices
      return at("choices", "Enter \(range.lowerBound) to \(range.upperBound) choices, one a line.")
    case .actions:
      return .refusal(
        "“\(template.title)” needs at least one button with a title.",
        at: ComposeField.buttons.rawValue)
    case .text, .input:
      return .refusal("Choose another template.", at: ComposeField.template.rawValue)
    }
  }
}

extension TemplateField {
  /// Whether a path below the template or the page leads to the field, or to a part of its value.
  fileprivate func holds(_ path: Substring) -> Bool {
    let own = self.path.joined(separator: ".")
    return path == own || path.hasPrefix(own + "[") || path.hasPrefix(own + ".")
  }
}
