package import Foundation
import MediaLoading
package import NotificationHost
import PhoneCards
import PushPayload
package import NotificationCards

/// A preview of pushes: a simulated phone whose media somebody else fetches.
package struct PhonePreview: Sendable {
  private let answer: @Sendable (URL) async -> MediaAnswer

  /// Makes a preview.
  ///
  /// - Parameter answer: Answers the request for a URL that the payload names or a server redirects to, in
  ///   bounded time. It has to check the URL itself before it fetches anything.
  package init(answer: @escaping @Sendable (URL) async -> MediaAnswer) { self.answer = answer }

  /// Delivers a push to the simulated phone and converts the shown notification to a card.
  ///
  /// - Parameters:
  ///   - message: The push.
  ///   - appName: The app's name on the card.
  ///   - delivered: The time of delivery in seconds since 1970.
  /// - Returns: The card, drawn from the files of the answers; `nil` if the person sees nothing.
  /// - Throws: An error of the file system if the phone's folder cannot be created.
  package func card(
    of message: PushMessage, appName: String, delivered: Double
  ) async throws -> NotificationCard? {
    let container = FileManager.default.temporaryDirectory
      .appending(path: "martlet-preview-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(
      at: container, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: container) }
    let clock = VirtualClock()
    let loader = AnswerLoader(clock: clock, answer: answer)
    var configuration = SimulatedPhone.Configuration(container: container)
    // The media of a template are prepared there.
    configuration.appGroup = container.appending(path: "AppGroup", directoryHint: .isDirectory)
    configuration.hasWholeMedia = false  // The loader sends the beginning of a file.
    let phone = SimulatedPhone(configuration, clock: clock, loader: loader)
    var message = message
    message.payload = await withoutUncheckableDigests(message.payload)
    let delivery = await phone.deliver(message)
    return NotificationCard(
      delivery, appName: appName, delivered: delivered, file: loader.file)
  }

  /// The payload without the SHA-256 of media whose beginning alone is in the preview.
  private func withoutUncheckableDigests(_ payload: JSONValue) async -> JSONValue {
    guard var members = payload.object, var own = members["_martlet"]?.object,
      var media = own["media"]?.array
    else { return payload }
    for (index, medium) in media.enumerated() {
      guard var medium = medium.object, medium["sha256"] != nil,
        let url = medium["url"]?.string.flatMap({ try? MediaAddress($0) })?.url
      else { continue }
      if case .response(_, let body?) = await answer(url), body.isWhole { continue }
      medium["sha256"] = nil
      media[index] = .object(medium)
    }
    own["media"] = .array(media)
    members["_martlet"] = .object(own)
    return .object(members)
  }
}
