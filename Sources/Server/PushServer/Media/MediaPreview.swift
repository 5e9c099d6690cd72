import Foundation
import NotificationHost
import NotificationPreview
import PushPayload
import PushStore
import NotificationCards

/// Previews of pushes with the media that this server holds or fetches from others.
struct MediaPreview: Sendable {
  /// How long a preview waits for media while somebody types; what comes later is shown as loading.
  static let shortWait = Duration.milliseconds(300)
  /// How long a preview waits otherwise: longer than for one server, so that an alternative is seen too.
  static let longWait = RemoteMedia.timeLimit + .seconds(3)

  let uploads: Uploads?
  let remoteMedia: RemoteMedia?
  let clock: ServerClock

  /// The card of a push as a phone shows it.
  ///
  /// - Parameters:
  ///   - message: The push, not encrypted.
  ///   - appName: The app's name on the card.
  ///   - icon: The name of the upload that is the app's icon; `nil` for none.
  ///   - delivered: When it is delivered, from which countdowns run; `nil` for now.
  ///   - wait: How long to wait for all media together.
  /// - Returns: `nil` where the person sees nothing.
  /// - Throws: ``APIError`` 503 where the server cannot write temporary files.
  func card(
    of message: PushMessage, appName: String, icon: String? = nil, delivered: Timestamp? = nil,
    waiting wait: Duration = longWait
  ) async throws(APIError) -> NotificationCard? {
    let deadline = clock.now() + wait
    do {
      var card = try await PhonePreview { await answer(to: $0, until: deadline) }
        .card(
          of: message, appName: appName,
          delivered: Double((delivered ?? clock.now()).milliseconds) / 1000)
      if let icon, let file = try? await uploads?.file(icon) { card?.icon = .png(file) }
      return card
    } catch {
      throw APIError(503, "the server cannot write temporary files; see the disk of its TMPDIR")
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
