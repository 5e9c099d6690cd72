import Foundation
import NotificationHost
import NotificationPreview
import NotificationTemplates
import PushPayload
import _Card

extension SimulationReport {
  /// What the expanded notification shows through a content extension; `null` where the payload has no template.
  ///
  /// A page is ready where the service extension attached its picture.
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
      "height": height(of: template, where: isReady),
      "findings": .array(findings), "document": template.json,
    ]
  }

  /// The height in points on a phone of 393: before the pictures are known, and with what is ready of them.
  private func height(
    of template: NotificationTemplate, where isReady: (TemplateMedia) -> Bool
  ) -> JSONValue {
    var environment = TemplateEnvironment(
      width: CardStyle().width - 2 * Self.inset, now: delivered)
    func height(_ template: NotificationTemplate) -> JSONValue {
      let layout = TemplateLayout(template, in: environment, measuring: PangoTextMeasurer())
      return .integer(Int64(layout.size.height))
    }
    let initial = height(template)
    let shown = template.keeping(where: isReady)
    for (file, url) in zip(delivery.report.attachments, delivery.enriched?.attachments ?? []) {
      guard let media = shown.media.first(where: { $0.url == url || $0.alternative == url }),
        let size = CardRenderer.pixelSize(ofPicture: file.file.path(percentEncoded: false))
      else { continue }
      environment.pictureSizes[media.id] = TemplateSize(
        width: Double(size.width), height: Double(size.height))
    }
    return ["initial": initial, "final": height(shown)]
  }

  /// The space between the expanded notification and the side of the screen, as on the drawn cards.
  private static let inset = 10.0

  private static func text(_ text: String) -> TemplateText? {
    text.isEmpty ? nil : TemplateText(text)
  }
}
