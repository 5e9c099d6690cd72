import Foundation
import TestSupport
import Testing

@testable import MartletCommands

@Suite("martlet init --project in a project that has the extension")
struct InitPresentTests {
  private let folder = TemporaryFolder()
  private let console = RecordingConsole()

  private func run(_ words: String...) async -> ExitCode {
    await runMartlet(["init", "--project"] + words, console.console)
  }

  /// A change of the project after the first run, with what the second one says.
  struct Difference: Sendable, CustomTestStringConvertible {
    let old: String
    let new: String
    let says: String
    var testDescription: String { new }
  }

  @Test(
    "a second run names what no longer fits the app, and changes nothing",
    arguments: [
      Difference(
        old: "PRODUCT_BUNDLE_IDENTIFIER = com.example.plain;",
        new: "PRODUCT_BUNDLE_IDENTIFIER = com.example.renamed;",
        says: "its bundle id is com.example.plain.NotificationService, and the app's is "
          + "com.example.renamed: set PRODUCT_BUNDLE_IDENTIFIER of NotificationService to "
          + "com.example.renamed.NotificationService [bundle-id-prefix]"),
      Difference(
        old: "com.example.plain.NotificationService", new: "com.example.plainNotificationService",
        says: "[bundle-id-prefix]"),
      Difference(
        old: "buildActionMask = 2147483647;\n\t\t\tdstPath",
        new: "buildActionMask = 8;\n\t\t\tdstPath",
        says: "copies it only when installing, so that builds that are run from Xcode lack it: "
          + "untick Copy only when installing"),
      Difference(
        old: "dstSubfolderSpec = 13;", new: "dstSubfolderSpec = 16;",
        says: "the phase \"Embed Foundation Extensions\" copies it to another folder: choose the "
          + "destination PlugIns [extension-misplaced]"),
      Difference(
        old: "isa = PBXCopyFilesBuildPhase;", new: "isa = PBXRezBuildPhase;",
        says: "no phase of Plain embeds it"),
      Difference(
        old: "INFOPLIST_FILE = NotificationService/Info.plist;",
        new: "INFOPLIST_FILE = NotificationService/Info.plist;\n"
          + "\t\t\t\tIPHONEOS_DEPLOYMENT_TARGET = 26.0;",
        says: "set IPHONEOS_DEPLOYMENT_TARGET of NotificationService to"),
    ])
  func differs(_ difference: Difference) async throws {
    let path = try ProjectFixture.named("plain").write(in: folder)
    #expect(await run(path) == .success)
    let file = path + "/project.pbxproj"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains(difference.old))
    let changed = text.replacing(difference.old, with: difference.new)
    try Data(changed.utf8).write(to: URL(filePath: file))
    for words in [[path], [path, "--content-extension"]] {
      let second = RecordingConsole()
      #expect(await runMartlet(["init", "--project"] + words, second.console) == .failure)
      let error = try #require(second.errors.first)
      #expect(error.contains("has the extension \"NotificationService\" already, but"))
      #expect(error.contains(difference.says), "\(error)")
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == changed)
  }

  @Test("a bundle id with a variable, and one of another form below the app's, fit")
  func fits() async throws {
    let path = try ProjectFixture.named("plain").write(in: folder)
    #expect(await run(path) == .success)
    let file = path + "/project.pbxproj"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    for id in ["\"$(APP_ID).Service\"", "com.example.plain.push.service"] {
      let changed = text.replacing("com.example.plain.NotificationService", with: id)
      #expect(changed != text)
      try Data(changed.utf8).write(to: URL(filePath: file))
      #expect(await run(path) == .success)
    }
  }

  @Test("a phase that copies only when installing is named as the first step")
  func installing() async throws {
    let path = try ProjectFixture.named("tests-and-scripts").write(in: folder) {
      $0.replacing(
        "buildActionMask = 2147483647;\n\t\t\tdstPath", with: "buildActionMask = 8;\n\t\t\tdstPath")
    }
    #expect(await run(path) == .success)
    let step = console.output.first { $0.hasPrefix("  1. ") }
    #expect(
      step == "  1. Untick Copy only when installing of the phase Embed Foundation Extensions, if "
        + "what it embeds belongs in each build: the new extension is in the phase Embed "
        + "Notification Extensions instead.")
    #expect(await run(path) == .success)
  }
}
