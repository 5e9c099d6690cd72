import Foundation
import RichNotifications

extension DeliveryReport {
  /// The reasons why expected media may be missing, for a test's message: `https://cdn.example/a.png: http-status 404`.
  ///
  /// For a `RichNotificationService` with ``media`` these are the engine's reasons; for any other extension they are
  /// its
  /// ``requests``. The attachments that the host refused follow, and then the limits of the model that the extension
  /// met.
  public var missingMediaReasons: [String] {
    guard run.ran else { return ["the extension did not run"] }
    let failures = media.isEmpty ? requests.map(\.description) : media.compactMap(failure)
    let refusals = trace.filter { $0.stage == .attachments }.map(\.message)
    let limits = trace.filter { $0.stage == .model }.map(\.message)
    if failures.isEmpty, refusals.isEmpty, requests.isEmpty {
      return ["the extension requested nothing from the network"] + limits
    }
    return failures + refusals + limits
  }

  /// The reason why a file was not attached, with the network's details.
  private func failure(of outcome: MediaOutcome) -> String? {
    guard let reason = outcome.reason else { return nil }
    let status = outcome.status.map { " \($0)" } ?? ""
    let request = requests.last { $0.url.absoluteString == outcome.url }
    let error = request?.error.map { " (\($0))" } ?? ""
    return "\(outcome.url): \(reason.rawValue)\(status)\(error)"
  }
}
