import Foundation
import Testing
import _Card

/// Pictures compared with those of `Snapshots/`.
///
/// `RECORD_SNAPSHOTS=1 swift test --filter SnapshotTests` writes them anew, and fails, so that a
/// recording never passes for a comparison. Look at what changed before committing it.
@Suite("Card: snapshots", .timeLimit(.minutes(2)))
struct SnapshotTests {
  /// Another release of a font or of its rasterizer moves a few edges.
  private static let tolerance = 0.01

  @Test("a card of other words, or without its picture, is no match")
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

  @Test(
    "a card looks as it did",
    arguments: [
      ("image", Sample.image, .light), ("video", Sample.video, .light),
      ("audio", Sample.audio, .dark), ("broken", Sample.broken, .light),
      ("scripts", Sample.scripts, .dark),
    ] as [(String, NotificationCard, CardStyle.Appearance)])
  func snapshot(
    _ name: String, _ card: NotificationCard, _ appearance: CardStyle.Appearance
  ) throws {
    let png = try CardRenderer(CardStyle(scale: 1, appearance: appearance)).png(card)
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
