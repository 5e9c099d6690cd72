import Foundation
import NotificationHost
import NotificationPreview
import NotificationTemplates
import PushPayload
import _Card

extension SimulationReport {
  /// What the expanded notification shows through a content extension; `null` where the payload has no template.
  ///
  /// A page is ready where the service extension has prepared its picture.
  var template: JSONValue {
    guard [.displayed, .displayedOriginal].contains(delivery.report.outcome),
      let content = delivery.report.content
    else { return .null }
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
      return [
        "kind": .null, "source": .null, "pages": [], "height": .null,
        "findings": .array(findings),
      ]
    }
    let prepared = delivery.prepared(template)
    return [
      "kind": .string(prepared.template.kind.rawValue),
      "source": .string(template.source.rawValue), "pages": pages(of: template, prepared),
      "height": [
        "initial": height(of: template), "final": height(of: prepared.template, prepared),
      ],
      "findings": .array(findings), "document": template.json,
    ]
  }

  /// The pages of a template with what is prepared of them.
  private func pages(
    of template: NotificationTemplate, _ prepared: PreparedTemplate
  ) -> JSONValue {
    let reasons = Dictionary(prepared.missing.map { ($0.id, $0.reason) }) { first, _ in first }
    let pages = template.pages.map { page -> JSONValue in
      let reason = reasons[page.media.id]
      return [
        "media": .string(page.media.url),
        "title": (page.title?.string).map(JSONValue.string) ?? .null,
        "link": template.link(of: page).map(JSONValue.string) ?? .null,
        "state": reason == nil ? "ready" : "missing",
        "reason": reason.map(JSONValue.string) ?? .null,
      ]
    }
    return .array(pages)
  }

  /// The height in points on a phone of 393, with the sizes of the pictures that are prepared.
  private func height(
    of template: NotificationTemplate, _ prepared: PreparedTemplate? = nil
  ) -> JSONValue {
    var environment = TemplateEnvironment(
      width: CardStyle().width - 2 * Self.inset, now: delivered)
    environment.pictureSizes = prepared?.pictureSizes ?? [:]
    let layout = TemplateLayout(template, in: environment, measuring: PangoTextMeasurer())
    return .integer(Int64(layout.size.height))
  }

  /// The space between the expanded notification and the side of the screen, as on the drawn cards.
  private static let inset = 10.0

  private static func text(_ text: String) -> TemplateText? {
    text.isEmpty ? nil : TemplateText(text)
  }
}
