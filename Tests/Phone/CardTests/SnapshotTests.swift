import NotificationCards
import Foundation
import NotificationTemplates
import Testing
import _Card

/// Tests that compare pictures with those in `Snapshots/`.
///
/// `RECORD_SNAPSHOTS=1 swift test --filter SnapshotTests` writes the pictures anew and fails, so that a
/// recording is never taken for a passed comparison. Look at the changes before you commit them.
@Suite("Card: snapshots", .timeLimit(.minutes(10)))
struct SnapshotTests {
  /// The share of pixels that may differ: another release of a font or of its rasterizer moves edges.
  private static let tolerance = 0.01

  @Test("a card with another text, or without its picture, does not match")
  func different() throws {
    func pixels(_ card: NotificationCard) throws -> Pixels {
      try Pixels(png: CardRenderer(CardStyle(scale: 1)).png(card))
    }
    let expected = try pixels(Sample.image)
    var words = Sample.image
    words.body = String(words.body.reversed())
    var bare = Sample.image
    bare.attachments = []
    for card in [words, bare] {
      #expect(try pixels(card).difference(from: expected) > Self.tolerance)
    }
  }

  private static let dark = CardStyle(scale: 1, appearance: .dark)
  private static let light = CardStyle(scale: 1)

  @Test(
    "a card matches its recorded picture",
    arguments: [
      ("image", Sample.image, light, [.collapsed, .expanded]),
      ("image-dark", Sample.image, dark, [.banner, .collapsed, .expanded]),
      ("video", Sample.video, light, [.collapsed, .expanded]),
      ("audio", Sample.audio, dark, [.collapsed, .expanded]),
      ("broken", Sample.broken, light, [.collapsed, .expanded]),
      ("scripts", Sample.scripts, dark, [.collapsed, .expanded]),
      ("banner", Sample.image, light, [.banner]),
      ("lock-screen", Sample.urgent, light, [.lockScreen]),
      ("lock-screen-ios18", Sample.urgent, CardStyle(scale: 1, look: .iOS18), [.lockScreen]),
      (
        "ios18", Sample.urgent, CardStyle(scale: 1, appearance: .dark, look: .iOS18),
        [.banner, .collapsed, .expanded]
      ),
      ("stack", Sample.image, light, [.stacked(on: 1), .stacked(on: 7)]),
      (
        "right-to-left", Sample.scripts,
        CardStyle(scale: 1, appearance: .dark, textSize: .xxxLarge, isRightToLeft: true),
        [.banner, .stacked(on: 2), .expanded]
      ),
      (
        "small", Sample.image, CardStyle(scale: 1, textSize: .xSmall),
        [.banner, .collapsed, .expanded]
      ),
      (
        "large", Sample.image, CardStyle(scale: 1, textSize: .xxxLarge),
        [.banner, .collapsed, .expanded]
      ),
    ] as [(String, NotificationCard, CardStyle, [NotificationCard.View])])
  func snapshot(
    name: String, card: NotificationCard, style: CardStyle, views: [NotificationCard.View]
  ) throws {
    let png = try CardRenderer(style).png(card, views)
    let snapshot = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Snapshots/\(name).png")
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try Data(png).write(to: snapshot)
      Issue.record("recorded \(snapshot.path)")
      return
    }
    let expected = try Pixels(png: Array(Data(contentsOf: snapshot)))
    let difference = try Pixels(png: png).difference(from: expected)
    guard difference > Self.tolerance else { return }
    let actual = FileManager.default.temporaryDirectory.appendingPathComponent("\(name).png")
    try Data(png).write(to: actual)
    Issue.record("\(difference * 100) % of \(name) differ; it looks like \(actual.path) now")
  }
}
