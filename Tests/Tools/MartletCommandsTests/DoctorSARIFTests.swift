import BundleDoctor
import BundleFixtures
import Foundation
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("martlet doctor --format sarif", .timeLimit(.minutes(10)))
struct DoctorSARIFTests {
  private let folder = TemporaryFolder()

  private func log(_ operands: String...) async throws -> (text: String, code: ExitCode) {
    let console = RecordingConsole()
    let code = await runMartlet(["doctor", "--format", "sarif"] + operands, console.console)
    try #require(console.output.count == 1)
    return (console.output[0], code)
  }

  private func faulty(_ container: Inspection.Kind = .ipa) throws -> String {
    var layout = AppLayout.good
    layout.container = container
    layout.service?.set(extensionKey: "NSExtensionPrincipalClass", nil)
    layout.service?.info["CFBundleVersion"] = "8"
    layout.app.info["UIBackgroundModes"] = nil
    return try layout.write(in: folder.url)
  }

  @Test("is valid for findings, for none, and for bundles that cannot be read")
  func valid() async throws {
    let logs = [
      try await log(try faulty()).text,
      try await log(try AppLayout.good.write(in: folder.url)).text,
      try await log(try faulty(), "no/such: file.app", folder.path("absent.ipa")).text,
    ]
    #expect(try await SARIFValidator.validate(logs) == ["valid", "valid", "valid"])
  }

  @Test("names input, place, rule and severity of each finding, and every rule")
  func content() async throws {
    let path = try faulty()
    let (text, code) = try await log(path, folder.path("absent.ipa"))
    #expect(code == .invalidInput)
    let run = try #require(try JSONValue(parsing: text)["runs"]?.array?.first)
    let rules = try #require(run["tool"]?["driver"]?["rules"]?.array)
    #expect(run["tool"]?["driver"]?["name"] == "martlet doctor")
    #expect(rules.compactMap { $0["id"]?.string } == BundleDoctor.rules.map(\.code))
    let results = try #require(run["results"]?.array)
    #expect(results.map { $0["level"]?.string } == ["warning", "error", "note"])
    let result = results[1]
    #expect(result["ruleId"] == "principal-class")
    let index = try #require(result["ruleIndex"]?.integer.flatMap { Int(exactly: $0) })
    #expect(rules[index]["id"] == "principal-class")
    let place = result["locations"]?.array?.first
    #expect(
      place?["physicalLocation"]?["artifactLocation"]?["uri"]?.string
        == URL(fileURLWithPath: path).absoluteString)
    #expect(
      place?["logicalLocations"]?.array?.first?["fullyQualifiedName"]
        == "Payload/Example.app/PlugIns/NotificationService.appex")
    let invocation = run["invocations"]?.array?.first
    #expect(invocation?["executionSuccessful"] == false)
    #expect(invocation?["toolExecutionNotifications"]?.array?.count == 1)
  }
}
