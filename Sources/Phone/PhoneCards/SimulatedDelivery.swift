package import Foundation
package import NotificationHost
package import NotificationTemplates
import PushPayload
package import RichNotifications

/// The outcome of one push on a simulated phone: the host's report and the engine's.
package struct SimulatedDelivery: Sendable {
  package var report: DeliveryReport
  /// The engine's result; `nil` if the extension did not run or was ended first.
  package var enriched: EngineOutcome?
  package var engineTrace: [TraceEvent]
  /// The media URLs that the payload asks for; empty if the payload is encrypted, or is not encrypted although
  /// it must be.
  package var wanted: [String]
  /// The container of the app group, in which the engine stores the media of a template; `nil` if the app has no group.
  package var appGroup: URL?

  package init(
    report: DeliveryReport, enriched: EngineOutcome? = nil, engineTrace: [TraceEvent] = [],
    wanted: [String] = [], appGroup: URL? = nil
  ) {
    self.report = report
    self.enriched = enriched
    self.engineTrace = engineTrace
    self.wanted = wanted
    self.appGroup = appGroup
  }

  /// Whether the person sees everything that the payload asks for.
  package var isComplete: Bool {
    if report.activity != nil { return true }
    guard report.outcome == .displayed, enriched?.decryption ?? "ok" == "ok" else { return false }
    guard enriched?.templateMedia.allSatisfy({ $0.reason == nil }) != false else { return false }
    // If the engine tried nothing, all media that the payload asks for are missing.
    guard let media = enriched?.media, !media.isEmpty else { return wanted.isEmpty }
    return report.attachments.count == enriched?.attachments.count
      && media.allSatisfy { $0.result == MediaOutcome.Result.attached.rawValue }
  }

  /// The decisions of the host and of the engine, in the order of time.
  package var trace: [TraceEvent] {
    // At equal times the engine's events follow the host's first, which is the launch.
    (report.trace.prefix(1) + engineTrace + report.trace.dropFirst()).enumerated()
      .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }
}

extension SimulatedDelivery {
  /// Prepares a template as a content extension can show it, with the files in ``appGroup``.
  ///
  /// - Parameter template: The template of the delivered payload.
  /// - Returns: The template with its ready media; without an app group, with its attached media.
  package func prepared(_ template: NotificationTemplate) -> PreparedTemplate {
    guard let appGroup else {
      let payload = report.content?.userInfo ?? .null
      return PreparedTemplate(
        template, attachments: report.attachments.map(\.identifier),
        requested: DialectTable.standard.read(payload).media)
    }
    return PreparedTemplate(
      template, request: report.content?.requestIdentifier ?? "",
      in: AppGroupFiles(container: appGroup))
  }

  /// The paths of a template's ready media, by ``TemplateMedia/id``.
  func paths(of prepared: PreparedTemplate) -> [String: String] {
    if let appGroup {
      let files = AppGroupFiles(container: appGroup)
      return prepared.files.mapValues { files.url($0).path(percentEncoded: false) }
    }
    let attached = report.attachments.map { ($0.identifier, $0.file.path(percentEncoded: false)) }
    let paths = Dictionary(attached) { first, _ in first }
    return prepared.files.compactMapValues { paths[$0] }
  }
}
