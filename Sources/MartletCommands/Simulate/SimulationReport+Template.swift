import NotificationPreview
import NotificationTemplates
import PushPayload
import _Card

extension SimulationReport {
  /// What the expanded notification shows through a content extension; `null` where the payload has no template.
  ///
  /// A page is ready where the service extension has prepared its picture.
  var template: JSONValue {
    guard let preview = PreviewedTemplate(delivery, delivered: delivered) else { return .null }
    let findings = preview.reading.findings.map { finding -> JSONValue in
      [
        "code": .string(finding.code.rawValue), "path": .string(finding.path),
        "message": .string(finding.message),
      ]
    }
    guard let template = preview.reading.template, let initial = preview.initial,
      let final = preview.final
    else {
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
      "height": ["initial": Self.height(initial), "final": Self.height(final)],
      "findings": .array(findings), "document": template.json,
    ]
  }

  /// The height of the view in points on a phone of 393, as it is drawn.
  private static func height(_ template: ExpandedTemplate) -> JSONValue {
    .integer(Int64(template.layout().size.height))
  }
}
