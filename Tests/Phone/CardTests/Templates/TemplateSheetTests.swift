import Foundation
import NotificationTemplates
import Testing

/// Tests that compare each kind of template, at three text sizes in both directions and appearances, with
/// `Snapshots/templates`.
///
/// `RECORD_SNAPSHOTS=1 swift test --filter TemplateSheetTests` writes the pictures anew and fails. Look at the changes
/// before you commit them.
@Suite("Card: snapshots of templates", .timeLimit(.minutes(20)))
struct TemplateSheetTests {
  /// The share of pixels that may differ: another release of a font or of its rasterizer moves edges.
  private static let tolerance = 0.01
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Snapshots/templates")

  @Test("a template matches its recorded picture", arguments: TemplateKind.allCases)
  func snapshot(kind: TemplateKind) throws {
    let png = try TemplateSheet().png(kind)
    let snapshot = Self.folder.appending(path: "\(kind.rawValue).png")
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
      try Data(IndexedPNG(Pixels(png: png)).bytes).write(to: snapshot)
      Issue.record("recorded \(snapshot.path)")
      return
    }
    let expected = try Pixels(png: Array(Data(contentsOf: snapshot)))
    let difference = try Pixels(png: png).difference(from: expected)
    guard difference > Self.tolerance else { return }
    let actual = FileManager.default.temporaryDirectory.appending(path: "\(kind.rawValue).png")
    try Data(png).write(to: actual)
    Issue.record("\(difference * 100) % of \(kind) differ; it looks like \(actual.path) now")
  }

  @Test("all sheets together have less than 3 MB")
  func size() throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: Self.folder, includingPropertiesForKeys: [.fileSizeKey])
    let sizes = try files.map { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
    #expect(files.count == TemplateKind.allCases.count)
    #expect(sizes.reduce(0, +) < 3_000_000)
  }
}
