import NotificationHost
import NotificationPreview
import NotificationTemplates
import PushPayload

extension SimulationReport {
  /// What the expanded notification shows through a content extension; `null` where the payload has no template.
  ///
  /// A page is ready where the service extension attached its picture.
  var template: JSONValue {
    guard let content = delivery.report.content else { return .null }
    let alert = TemplateTexts(
      title: Self.text(content.title), subtitle: Self.text(content.subtitle),
      body: Self.text(content.body))
    let reading = TemplateTable.standard.read(
      content.userInfo, alert: alert, category: content.categoryIdentifier, delivered: delivered)
    let findings = reading.findings.map { finding -> JSONValue in
      [
        "code": .string(finding.code.rawValue), "path": .string(finding.path),
        "message": .string(finding.message),
      ]
    }
    guard let template = reading.template else {
      if findings.isEmpty { return .null }
      return ["kind": .null, "source": .null, "pages": [], "findings": .array(findings)]
    }
    let attached = Set(delivery.enriched?.attachments ?? [])
    func isReady(_ media: TemplateMedia) -> Bool {
      attached.contains(media.url) || media.alternative.map(attached.contains) == true
    }
    let pages = template.pages.map { page -> JSONValue in
      [
        "media": .string(page.media.url),
        "title": (page.title?.string).map(JSONValue.string) ?? .null,
        "link": template.link(of: page).map(JSONValue.string) ?? .null,
        "state": isReady(page.media) ? "ready" : "missing",
      ]
    }
    return [
      "kind": .string(template.keeping(where: isReady).kind.rawValue),
      "source": .string(template.source.rawValue), "pages": .array(pages),
      "findings": .array(findings), "document": template.json,
    ]
  }

  private static func text(_ text: String) -> TemplateText? {
    text.isEmpty ? nil : TemplateText(text)
  }
}
