import Foundation
import TestSupport
import Testing

@Suite(
  "The unit for systemd", .timeLimit(.minutes(10)),
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze"),
    "systemd-analyze is not installed; on Debian it comes with the package systemd"))
struct ServiceUnitTests {
  private let folder = TemporaryFolder()

  /// The packaged unit with the path of the built program.
  private func unit() throws -> String {
    let packaged = try String(
      contentsOf: Repository.url("Packaging/martlet.service"), encoding: .utf8)
    let program = BuiltProgram.martlet
    try #require(packaged.contains("\nExecStart=/usr/local/bin/martlet serve\n"))
    return packaged.replacing("=/usr/local/bin/martlet ", with: "=\(program) ")
  }

  private func analyze(_ command: String, _ text: String) async throws -> (Int32, String) {
    let path = try folder.write(text, to: "martlet.service")
    return await runProgram(
      "/usr/bin/env",
      ["sh", "-c", #"exec systemd-analyze "$@" 2>&1"#, "sh"]
        + command.split(separator: " ")
        .map(String.init) + [path])
  }

  @Test("systemd understands every line and has nothing to say, with the lines for TLS too")
  func verify() async throws {
    let plain = try unit()
    let full = plain.replacing("\n#LoadCredential=", with: "\nLoadCredential=")
      .replacing("\n#Environment=", with: "\nEnvironment=")
    #expect(plain != full)
    for text in [plain, full] {
      let (status, said) = try await analyze("verify --man=no", text)
      #expect(status == 0 && said.isEmpty, "\(said)")
    }
    // It would say so.
    let (_, said) = try await analyze("verify --man=no", plain + "WantsBy=nobody\n")
    #expect(said.contains("WantsBy"))
  }

  @Test("it leaves the service little of the machine: systemd's own measure is below 2 of 10")
  func exposure() async throws {
    let (status, said) = try await analyze(
      "security --offline=true --no-pager --threshold=20", unit())
    #expect(status == 0, "\(said.suffix(200))")
  }
}
