import Foundation
import TestSupport
import Testing

private let root = Repository.root
private let hadolint = root.appending(path: ".build/python/bin/hadolint").path()

@Suite("The package for Debian and the image", .timeLimit(.minutes(10)))
struct PackagingTests {
  private let folder = TemporaryFolder()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test(
    "hadolint has nothing to say of the Containerfile",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: hadolint),
      "hadolint is not installed; scripts/bootstrap installs it"))
  func containerfile() async throws {
    let path = root.appending(path: "Packaging/Containerfile").path()
    let (status, said) = await runProgram(hadolint, ["--no-color", path])
    #expect(status == 0 && said.isEmpty, "\(said)")
    // It would say so.
    let sudo = try folder.write(
      try text("Packaging/Containerfile") + "RUN sudo true\n", to: "Containerfile")
    #expect(await runProgram(hadolint, ["--no-color", sudo]).0 != 0)
  }

  @Test("the maintainer scripts are scripts of sh", arguments: ["postinst", "prerm", "postrm"])
  func maintainerScripts(name: String) async throws {
    let path = root.appending(path: "Packaging/debian/\(name)").path()
    let (status, said) = await runProgram("/usr/bin/env", ["dash", "-n", path])
    #expect(status == 0, "\(said)")
    #expect(FileManager.default.isExecutableFile(atPath: path))
  }

  @Test(
    "the health check is true of an answer of 200 alone", arguments: [(200, true), (503, false)])
  func healthCheck(status: Int, isHealthy: Bool) async throws {
    let server = try LoopbackListener()
    server.start { connection in
      // With an unread request the connection would be reset before the answer is read.
      var request = [UInt8](repeating: 0, count: 1024)
      _ = recv(connection, &request, request.count, 0)
      let answer = Array("HTTP/1.0 \(status) Any\r\nContent-Length: 0\r\n\r\n".utf8)
      _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
    }
    defer { server.stop() }
    let line = try #require(
      text("Packaging/Containerfile").split(separator: "\n").first { $0.contains("CMD [\"bash\"") })
    let words = try JSONDecoder().decode(
      [String].self, from: Data(line.replacing("  CMD ", with: "").utf8))
    let command = words.map { $0.replacing("/8080", with: "/\(server.port)") }
    let (code, _) = await runProgram("/usr/bin/env", command)
    #expect((code == 0) == isHealthy)
  }
}
