import BundleDoctor
import BundleFixtures
import Foundation
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("martlet doctor", .timeLimit(.minutes(10)))
struct DoctorCommandTests {
  private let folder = TemporaryFolder()
  private let console = RecordingConsole()

  @Test("a bundle without a fault ends with 0")
  func clean() async throws {
    #expect(await console.run("doctor", try AppLayout.good.write(in: folder.url)) == .success)
    #expect(console.output == ["no faults; \(BundleDoctor.rules.count) rules checked"])
  }

  @Test(
    "an error is printed with place, reason and fix, and ends with 1; --quiet omits the last two")
  func error() async throws {
    var layout = AppLayout.good
    layout.container = .ipa
    layout.service?.set(extensionKey: "NSExtensionPrincipalClass", nil)
    let path = try layout.write(in: folder.url)
    #expect(await console.run("doctor", path) == .failure)
    let lines = console.output.joined(separator: "\n").split(separator: "\n")
    #expect(lines.count == 5)
    #expect(
      lines.first?.hasPrefix(
        "error: Payload/Example.app/PlugIns/NotificationService.appex: NSExtensionPrincipalClass")
        == true)
    #expect(lines[1].hasSuffix("[principal-class]"))
    #expect(lines.last?.hasPrefix("1 error; ") == true)
    let quiet = RecordingConsole()
    #expect(await quiet.run("doctor", "--quiet", path) == .failure)
    #expect(quiet.output.joined(separator: "\n").split(separator: "\n").count == 3)
  }

  @Test("warnings and notes alone end with 0")
  func warning() async throws {
    var layout = AppLayout.good
    layout.service?.info["CFBundleVersion"] = "8"
    layout.app.info["UIBackgroundModes"] = nil
    #expect(await console.run("doctor", try layout.write(in: folder.url)) == .success)
    #expect(console.output.joined().contains("1 warning, 1 note; "))
  }

  @Test("--json prints one object with bundles, counts and findings")
  func json() async throws {
    var layout = AppLayout.good
    layout.service?.code?.signature?.teamID = "OTHER12345"
    #expect(await console.run("doctor", "--json", try layout.write(in: folder.url)) == .failure)
    #expect(console.output.count == 1)
    let json = try JSONValue(parsing: Data(console.output.joined().utf8))
    #expect(json["kind"]?.string == "app")
    #expect(json["app"]?["bundleID"]?.string == "com.example.app")
    #expect(json["app"]?["minimumSystem"]?.string == "16.0")
    #expect(json["extensions"]?.array?.first?["team"]?.string == "OTHER12345")
    #expect(json["errors"] == 2)
    let codes = json["findings"]?.array?.map { $0["code"]?.string }
    #expect(codes == ["team-mismatch", "team-mismatch"])
  }

  @Test("rules that cannot be checked are counted")
  func skipped() async throws {
    var layout = AppLayout.good
    layout.container = .appex
    #expect(await console.run("doctor", try layout.write(in: folder.url)) == .success)
    #expect(console.output.joined().contains(" could not be checked"))
  }

  @Test("an input that is not a bundle ends with 2 and one line")
  func noBundle() async throws {
    for (name, words) in [("absent.app", "does not exist"), ("text.ipa", "is not an .ipa")] {
      let console = RecordingConsole()
      if name == "text.ipa" { _ = try folder.write("hello", to: name) }
      #expect(await console.run("doctor", folder.path(name)) == .invalidInput)
      #expect(console.output == [])
      #expect(console.errors.count == 1)
      #expect(console.errors.first?.contains(words) == true)
    }
  }

  @Test("each bundle of a folder is examined, and the highest exit code counts")
  func folderOfBundles() async throws {
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "a"), withIntermediateDirectories: true)
    _ = try AppLayout.good.write(in: folder.url.appending(path: "b/good"))
    var layout = AppLayout.good
    layout.service?.set(extensionKey: "NSExtensionPrincipalClass", nil)
    layout.container = .ipa
    let faulty = try layout.write(in: folder.url.appending(path: "a"))
    #expect(await console.run("doctor", "--json", folder.path("")) == .failure)
    let paths = try console.output.map { try JSONValue(parsing: $0)["path"]?.string ?? "" }
    #expect(
      paths.map { $0.split(separator: "/").suffix(2).joined(separator: "/") } == [
        "a/Example.ipa", "good/Example.app",
      ])
    let both = RecordingConsole()
    #expect(await both.run("doctor", faulty, folder.path("absent.app")) == .invalidInput)
    // Another process prints its two texts as lines.
    let texts = BuiltProgram.otherFolder == nil ? both.output.count : min(both.output.count, 2)
    #expect(texts == 2 && both.errors.count == 1)
  }

  @Test(
    "--fail-on chooses the severity that makes the exit code 1",
    arguments: [("error", ExitCode.success), ("warning", .failure), ("note", .failure)])
  func failOn(severity: String, code: ExitCode) async throws {
    var layout = AppLayout.good
    layout.service?.info["CFBundleVersion"] = "8"
    let path = try layout.write(in: folder.url)
    #expect(await console.run("doctor", "--fail-on", severity, path) == code)
  }

  @Test("--format json is --json, and the two may not differ")
  func formats() async throws {
    let path = try AppLayout.good.write(in: folder.url)
    let short = RecordingConsole()
    #expect(await console.run("doctor", "--format", "json", path) == .success)
    #expect(await short.run("doctor", "--json", path) == .success)
    #expect(console.output == short.output)
    let both = RecordingConsole()
    #expect(await both.run("doctor", "--json", "--format", "sarif", path) == .invalidInput)
    #expect(both.errors.first?.contains("--json is --format json") == true)
  }

  @Test("a bundle for the Mac is named as such, one for tvOS is refused with the reason")
  func systems() async throws {
    #expect(
      await console.run("doctor", try AppLayout.mac(catalyst: true).write(in: folder.url))
        == .success)
    #expect(console.output.joined().contains("This is a bundle for Mac Catalyst"))
    var layout = AppLayout.good
    layout.container = .xcarchive
    layout.app.code?.platform = 3
    let tv = RecordingConsole()
    #expect(await tv.run("doctor", try layout.write(in: folder.url)) == .invalidInput)
    #expect(
      tv.errors == [
        "martlet doctor: Example.xcarchive has an app for tvOS: tvOS has no notification service "
          + "extension, so there is nothing to examine"
      ])
  }

  @Test("it needs a path", arguments: [[], [""]])
  func usage(_ words: [String]) async {
    #expect(await runMartlet(["doctor"] + words, console.console) == .invalidInput)
    #expect(console.errors.first?.contains("PATH") == true)
  }
}
