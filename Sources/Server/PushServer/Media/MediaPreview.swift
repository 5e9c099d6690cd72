import Foundation
import NotificationHost
import NotificationPreview
import PushModel
import PushPayload
import NotificationCards

/// Previews of pushes with media that this server stores or fetches from other servers.
struct MediaPreview: Sendable {
  /// The time that a preview waits for media while somebody types; media that arrive later are shown as loading.
  static let shortWait = Duration.milliseconds(300)
  /// The time that other previews wait, which is longer than for one server, so that an alternative is also seen.
  static let longWait = RemoteMedia.timeLimit + .seconds(3)

  let uploads: Uploads?
  let remoteMedia: RemoteMedia?
  let clock: ServerClock

  /// The card of a push as it appears on a phone.
  ///
  /// - Parameters:
  ///   - message: The push, not encrypted.
  ///   - appName: The app's name on the card.
  ///   - icon: The name of the upload with the app's icon; `nil` if the app has no icon.
  ///   - delivered: The time of delivery, from which countdowns run; `nil` means now.
  ///   - wait: The time to wait for all media together.
  /// - Returns: The card; `nil` if the push shows nothing.
  /// - Throws: ``RequestError`` `.unavailable` if the server cannot write temporary files.
  func card(
    of message: PushMessage, appName: String, icon: String? = nil, delivered: Timestamp? = nil,
    waiting wait: Duration = longWait
  ) async throws(RequestError) -> NotificationCard? {
    let deadline = clock.now() + wait
    do {
      var card = try await PhonePreview { await answer(to: $0, until: deadline) }
        .card(
          of: message, appName: appName,
          delivered: Double((delivered ?? clock.now()).milliseconds) / 1000)
      if let icon, let file = try? await uploads?.file(icon) { card?.icon = .png(file) }
      return card
    } catch {
      throw RequestError(
        .unavailable, "the server cannot write temporary files; see the disk of its TMPDIR")
    }
  }

  private func answer(to url: URL, until deadline: Timestamp) async -> MediaAnswer {
    if let file = try? await uploads?.file(url: url.absoluteString) {
      let fileExtension = file.split(separator: ".").last.map(String.init) ?? ""
      return .file(file, MediaType(pathExtension: fileExtension)?.family)
    }
    return await remoteMedia?.answer(to: url, until: deadline) ?? .loading
  }
}
