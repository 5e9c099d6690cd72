import Foundation
import TestSupport
import Testing

@testable import MartletCommands

@Suite("The phase that embeds an extension")
struct EmbedPhaseTests {
  private static let fixture = ProjectFixture.named("tests-and-scripts")
  private static let folder = "dstSubfolderSpec = 13;"

  /// The fixture's one phase that copies files, changed, after the extension was added.
  private func phases(_ changes: [(String, String)]) throws -> [EmbedPhase] {
    var text = String(decoding: try Self.fixture.bytes, as: UTF8.self)
    let start = try #require(text.range(of: "isa = PBXCopyFilesBuildPhase"))
    let end = try #require(text.range(of: "};", range: start.upperBound..<text.endIndex))
    var phase = String(text[start.lowerBound..<end.lowerBound])
    for (old, new) in changes {
      #expect(phase.contains(old))
      phase = phase.replacing(old, with: new)
    }
    text.replaceSubrange(start.lowerBound..<end.lowerBound, with: phase)
    let project = try XcodeProject(Self.fixture.added(to: Array(text.utf8)).bytes)
    #expect(project.danglingReferences == [] && project.unreachable == [])
    return project.embedPhases(of: try #require(project.target(Self.fixture.app)))
  }

  @Test(
    "a phase that copies to PlugIns in every build is used",
    arguments: [
      [], [(folder, "dstSubfolder = PlugIns;")],
      [("buildActionMask = 2147483647;", ""), ("runOnlyForDeploymentPostprocessing = 0;", "")],
    ])
  func used(_ changes: [(String, String)]) throws {
    let phases = try phases(changes)
    #expect(phases.map { $0.object.strings("files").count } == [2])
  }

  @Test(
    "beside any other phase there is a new one, with a name of its own",
    arguments: [
      // Copy only when installing, as Xcode writes it, and each of its two settings alone.
      [
        ("buildActionMask = 2147483647;", "buildActionMask = 8;"),
        (
          "runOnlyForDeploymentPostprocessing = 0;", "runOnlyForDeploymentPostprocessing = 1;"
        ),
      ],
      [("buildActionMask = 2147483647;", "buildActionMask = 8;")],
      [("runOnlyForDeploymentPostprocessing = 0;", "runOnlyForDeploymentPostprocessing = 1;")],
      [("dstPath = \"\";", "dstPath = Other;")],
      [(folder, "dstSubfolderSpec = 10;")], [(folder, "dstSubfolderSpec = 130;")], [(folder, "")],
      [(folder, "dstSubfolder = Frameworks;")],
      [(folder, "dstSubfolderSpec = 13; dstSubfolder = Frameworks;")],
    ])
  func new(_ changes: [(String, String)]) throws {
    let phases = try phases(changes)
    #expect(phases.map { $0.object.strings("files").count }.sorted() == [1, 1])
    let new = try #require(phases.first { $0.name == "Embed Notification Extensions" })
    #expect(new.isForPlugIns && new.isInEveryBuild)
    // The folder has the form that the project's other phases have.
    let isNewer = changes.contains { $0.1 == "dstSubfolder = Frameworks;" }
    #expect(new.object.string("dstSubfolder") == (isNewer ? "PlugIns" : nil))
    #expect(new.object.string("dstSubfolderSpec") == (isNewer ? nil : "13"))
  }
}
