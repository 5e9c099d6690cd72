import Foundation
import NotificationHost
import PhoneCards
import NotificationCards

extension CardProcess {
  /// The process that draws for a command, which can read every file that the command's user can read.
  static func ofCommand() -> CardProcess { CardProcess(reading: ["/"], maximumWaiting: .max) }
}

/// A PNG file with the card of a simulated delivery, collapsed and expanded, with a template's pages side by side.
enum CardFile {
  /// Draws the card and writes it to a file.
  ///
  /// - Parameters:
  ///   - delivery: The outcome of the push. If ffmpeg is installed, it makes a frame of each video.
  ///   - cards: The process that draws.
  ///   - file: The path of the file, which is replaced as a whole.
  ///   - appName: The app's name on the card.
  ///   - delivered: When the push was delivered, in seconds since 1970.
  ///   - style: The look of the card.
  ///   - moreInThread: The number of earlier notifications of the same thread, which lie below it.
  ///   - hasBanner: Whether the banner is also drawn, above the others.
  ///   - isLocked: Whether the lock screen with its clock is drawn instead of the list.
  /// - Returns: Whether the push shows anything; if not, no file is written.
  /// - Throws: ``CommandFailure`` if the card cannot be drawn or the file cannot be written.
  static func write(
    _ delivery: SimulatedDelivery, by cards: CardProcess, to file: String,
    appName: String = "Martlet", delivered: Double, style: CardStyle = CardStyle(),
    moreInThread: Int = 0, hasBanner: Bool = false, isLocked: Bool = false
  ) async throws -> Bool {
    guard var card = NotificationCard(delivery, appName: appName, delivered: delivered)
    else { return false }
    var posters: [URL] = []
    defer { for poster in posters { try? FileManager.default.removeItem(at: poster) } }
    for (index, shown) in delivery.report.attachments.enumerated()
    where card.attachments[index].kind == .video {
      guard let poster = await VideoPoster.file(for: shown.file, at: shown.thumbnailTime)
      else { continue }
      posters.append(poster)
      card.attachments[index].posterPath = poster.path(percentEncoded: false)
    }
    for (id, movie) in card.template?.movies ?? [:] {
      guard let poster = await VideoPoster.file(for: URL(fileURLWithPath: movie), at: nil)
      else { continue }
      posters.append(poster)
      card.template?.posters[id] = poster.path(percentEncoded: false)
    }
    do {
      let views: [NotificationCard.View] =
        (hasBanner ? [.banner] : []) + [
          isLocked ? .lockScreen : .stacked(on: moreInThread), .expanded,
        ]
      let picture = try await cards.png(card, views, style: style)
      // A regular file is replaced atomically. A link, or a device such as /dev/stdout, is written to.
      let type =
        try? FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType
      try Data(picture).write(
        to: URL(fileURLWithPath: file), options: [nil, .typeRegular].contains(type) ? .atomic : [])
      return true
    } catch let error as CardError {
      throw CommandFailure("cannot draw the card: \(error.sentence)", cause: error)
    } catch {
      throw CommandFailure(
        "cannot write \(file): is the folder there, writable, and the disk not full?", cause: error)
    }
  }
}
