import NotificationCards
import Foundation
import TestSupport
import _Card

/// The path of a file in `Tests/Fixtures/media`.
func media(_ name: String) -> String {
  Fixtures.url("media/\(name)").path
}

/// A temporary file, removed with the object.
final class TemporaryFile {
  let path: String

  init(_ bytes: [UInt8], name: String = "file.png") throws {
    path = NSTemporaryDirectory() + "martlet-\(UUID().uuidString)-\(name)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

enum Sample {
  /// The first sample as a time-sensitive notification.
  static let urgent = {
    var card = image
    card.isTimeSensitive = true
    return card
  }()
  static let image = NotificationCard(
    appName: "Skyline", time: "9:41", title: "Evening in the valley", subtitle: "Sunset at 20:14",
    body: """
      Clear until midnight, then a few clouds from the west. Take a jacket: it will be 8° by the \
      lake, and the wind turns north after ten. A good night for stars! ✨
      """,
    attachments: [.init(path: media("picture.png"), kind: .image, name: "picture.png")],
    actions: ["Open forecast", "Remind me at sunset"])

  static let video = NotificationCard(
    appName: "Podium", title: "Gold! 🥇", body: "She did it in the last second.",
    attachments: [
      .init(path: media("gold.mp4"), kind: .video, name: "gold.mp4", durationSeconds: 2.5)
    ])

  static let audio = NotificationCard(
    appName: "Walkie", time: "2m ago", title: "Voice message", body: "Alex left you a message.",
    attachments: [
      .init(
        path: media("chime.mp3"), kind: .audio, name: "Message from Alex", durationSeconds: 65)
    ])

  static let broken = NotificationCard(
    appName: "Café", time: "Yesterday, 18:02",
    title: "A title that cannot possibly fit in one line of a notification",
    body: "Line one\nLine two\nLine three\nLine four\nLine five\n\nThe end",
    attachments: [
      .init(path: media("not-an-image.png"), kind: .image, name: "not-an-image.png"),
      .init(path: media("cloudy.gif"), kind: .image), .init(path: media("photo.jpg"), kind: .image),
    ])

  static let scripts = NotificationCard(
    appName: "أخبار", time: "الآن", title: "صباح الخير من القاهرة", subtitle: "नमस्ते दुनिया",
    body: "今日の天気は晴れです · 한국어 알림 · ไทย · Ελληνικά · Кириллица · 👍🏽")
}
