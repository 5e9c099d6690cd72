import NotificationCards
import PhoneCards
import NotificationTemplates
import PushPayload

extension SimulationReport {
  /// The expanded notification of a content extension; `null` if the payload has no template.
  ///
  /// A page is ready if the service extension has prepared its picture.
  var template: JSONValue {
    guard let preview = PreviewedTemplate(delivery, delivered: delivered) else { return .null }
    let findings = preview.reading.findings.map { finding -> JSONValue in
      [
        "code": .string(finding.code.rawValue), "path": .string(finding.path),
        "message": .string(finding.message),
      ]
    }
    guard let template = preview.reading.template, let final = preview.final else {
      if findings.isEmpty { return .null }
      return [
        "kind": .null, "source": .null, "pages": [], "height": .null,
        "findings": .array(findings),
      ]
    }
    let pages = template.pages.map { page -> JSONValue in
      [
        "media": .string(page.media.url),
        "title": (page.title?.string).map(JSONValue.string) ?? .null,
        "link": template.link(of: page).map(JSONValue.string) ?? .null,
        "state": preview.isReady(page.media) ? "ready" : "missing",
        "reason": preview.reason(of: page.media).map(JSONValue.string) ?? .null,
      ]
    }
    return [
      "kind": .string(final.template.kind.rawValue),
      "source": .string(template.source.rawValue), "pages": .array(pages),
      "height": heights,
      "findings": .array(findings), "document": template.json,
    ]
  }

  /// Measures the view in points as it is drawn on a phone with a width of 393.
  ///
  /// The first height is the one before the sizes of the pictures are known. The heights stay `null` if `martlet-card`
  /// is not installed.
  mutating func measureTemplate(by cards: CardProcess) async {
    guard let preview = PreviewedTemplate(delivery, delivered: delivered),
      let initial = preview.initial, let final = preview.final,
      let heights = try? await (cards.height(of: initial), cards.height(of: final))
    else { return }
    self.heights = [
      "initial": .integer(Int64(heights.0)), "final": .integer(Int64(heights.1)),
    ]
  }
}
