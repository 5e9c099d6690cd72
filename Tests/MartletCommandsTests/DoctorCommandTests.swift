import BundleDoctor
import BundleFixtures
import Foundation
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("martlet doctor", .timeLimit(.minutes(1)))
struct DoctorCommandTests {
  private let folder = TemporaryFolder()
  private let console = RecordingConsole()

  @Test("without a fault it says so and ends with 0")
  func clean() async throws {
    #expect(await console.run("doctor", try AppLayout.good.write(in: folder.url)) == .yes)
    #expect(console.output == ["no faults; \(BundleDoctor.rules.count) rules asked"])
  }

  @Test("an error is told with where, why and fix, and ends with 1; --quiet tells where alone")
  func error() async throws {
    var layout = AppLayout.good
    layout.container = .ipa
    layout.service?.set(extensionKey: "NSExtensionPrincipalClass", nil)
    let path = try layout.write(in: folder.url)
    #expect(await console.run("doctor", path) == .no)
    let lines = console.output.joined(separator: "\n").split(separator: "\n")
    #expect(lines.count == 5)
    #expect(
      lines.first?.hasPrefix(
        "error: Payload/Example.app/PlugIns/NotificationService.appex: NSExtensionPrincipalClass")
        == true)
    #expect(lines[1].hasSuffix("[principal-class]"))
    #expect(lines.last?.hasPrefix("1 error; ") == true)
    let quiet = RecordingConsole()
    #expect(await quiet.run("doctor", "--quiet", path) == .no)
    #expect(quiet.output.joined(separator: "\n").split(separator: "\n").count == 3)
  }

  @Test("warnings and notes alone end with 0")
  func warning() async throws {
    var layout = AppLayout.good
    layout.service?.info["CFBundleVersion"] = "8"
    layout.app.info["UIBackgroundModes"] = nil
    #expect(await console.run("doctor", try layout.write(in: folder.url)) == .yes)
    #expect(console.output.joined().contains("1 warning, 1 note; "))
  }

  @Test("--json prints one object with bundles, counts and findings")
  func json() async throws {
    var layout = AppLayout.good
    layout.service?.code?.signature?.teamID = "OTHER12345"
    #expect(await console.run("doctor", "--json", try layout.write(in: folder.url)) == .no)
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

  @Test("what was passed over is counted")
  func skipped() async throws {
    var layout = AppLayout.good
    layout.container = .appex
    #expect(await console.run("doctor", try layout.write(in: folder.url)) == .yes)
    #expect(console.output.joined().contains(" had nothing to see"))
  }

  @Test("what is no bundle ends with 1 and one line that says so")
  func noBundle() async throws {
    for (name, words) in [("absent.app", "not there"), ("text.ipa", "no .ipa")] {
      let console = RecordingConsole()
      if name == "text.ipa" { _ = try folder.write("hello", to: name) }
      #expect(await console.run("doctor", folder.path(name)) == .no)
      #expect(console.output == [])
      #expect(console.errors.count == 1)
      #expect(console.errors.first?.contains(words) == true)
    }
  }

  @Test("it takes one path", arguments: [[], ["a.app", "b.app"], [""]])
  func usage(_ words: [String]) async {
    #expect(await Martlet().run(["doctor"] + words, console.console) == .usedWrongly)
    #expect(console.errors.first?.contains("PATH") == true)
  }
}
