import Foundation
import NotificationHost
package import NotificationTemplates
import PushPayload
package import NotificationCards

/// The template of a notification on a simulated phone, with the media that a content extension can show.
///
/// This is the only conversion from the phone's notification to a template that is drawn.
package struct PreviewedTemplate: Sendable {
  /// The reading of the payload; it has no template if none can be read.
  package let reading: TemplateReading
  /// The paths of the files that are ready, by ``TemplateMedia/id``; an empty path stands for one that is still loading.
  private let files: [String: String]
  /// The reasons why media are missing, by ``TemplateMedia/id``.
  private let reasons: [String: String]
  private let buttons: [ExpandedTemplate.Button]
  private let delivered: Double

  /// Reads the template of a notification on a phone; `nil` if the person sees nothing.
  ///
  /// - Parameters:
  ///   - delivery: The outcome of the push.
  ///   - delivered: The time of delivery in seconds since 1970, at which countdowns begin.
  ///   - file: Gives the path to draw for a URL in place of the phone's own copy; an empty path stands for a medium that is
  ///     still loading.
  package init?(
    _ delivery: SimulatedDelivery, delivered: Double, file: ((String) -> String)? = nil
  ) {
    let report = delivery.report
    guard let content = report.content,
      report.outcome == .displayed || report.outcome == .displayedOriginal
    else { return nil }
    let alert = TemplateTexts.shown(
      title: content.title, subtitle: content.subtitle, body: content.body)
    reading = TemplateTable.standard.read(
      content.userInfo, alert: alert, category: content.categoryIdentifier, delivered: delivered)
    guard let template = reading.template else {
      files = [:]
      reasons = [:]
      buttons = []
      self.delivered = delivered
      return
    }
    if let file {
      let outcomes = delivery.enriched?.templateMedia ?? []
      let ready = Set(outcomes.filter { $0.reason == nil }.map(\.id))
      let pairs = template.media.filter { ready.contains($0.id) }.map { media in
        let paths = [media.url, media.alternative].compactMap(\.self).map(file)
        return (media.id, paths.first { !$0.isEmpty } ?? "")
      }
      files = Dictionary(pairs) { first, _ in first }
      reasons = Dictionary(
        outcomes.compactMap { outcome in outcome.reason.map { (outcome.id, $0) } }
      ) { first, _ in first }
    } else {
      let prepared = delivery.prepared(template)
      files = delivery.paths(of: prepared)
      reasons = Dictionary(prepared.missing.map { ($0.id, $0.reason) }) { first, _ in first }
    }
    buttons = report.actions.map { ExpandedTemplate.Button(id: $0.identifier, title: $0.title) }
    self.delivered = delivered
  }

  /// Whether a medium can be shown, because the service extension has prepared it.
  package func isReady(_ media: TemplateMedia) -> Bool { files[media.id] != nil }

  /// The reason why a medium cannot be shown, as a code; `nil` if it can, or if the reason is not known.
  package func reason(of media: TemplateMedia) -> String? { reasons[media.id] }

  /// The template as it is shown before the sizes of its pictures are known; `nil` if the payload has no template.
  package var initial: ExpandedTemplate? {
    reading.template.map { ExpandedTemplate($0, now: delivered) }
  }

  /// The template as it is shown with the media that are ready; `nil` if the payload has no template.
  package var final: ExpandedTemplate? {
    guard let template = reading.template?.keeping(where: isReady) else { return nil }
    return ExpandedTemplate(template, files: files, buttons: buttons, now: delivered)
  }

  /// The template that is drawn in place of the system's expanded view.
  ///
  /// It is `nil` if the payload has no template, or if iOS does not start a content extension for its
  /// category.
  package var drawn: ExpandedTemplate? {
    reading.findings.contains { $0.code == .wrongCategory } ? nil : final
  }
}
