import Foundation
import TestSupport
import Testing

@Suite("The memory of serve", .timeLimit(.minutes(5)))
struct ServeMemoryTests {
  private let folder = TemporaryFolder()
  /// The words that start a program without capabilities, by which root reads the memory of every process.
  private static let words =
    getuid() == 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : []

  private func run(_ script: String) async -> Int32 {
    await runProgram("/usr/bin/env", Self.words + ["sh", "-c", script]).status
  }

  @Test("other programs of the same user cannot read it")
  func isHidden() async throws {
    let server = try ServeProcess(
      ["--data", folder.path("data")],
      under: "set -- \(Self.words.joined(separator: " ")) \"$@\"")
    _ = try #require(await server.url())
    for file in ["environ", "maps"] {
      #expect(await run("cat /proc/\(server.identifier)/\(file)") != 0, "\(file)")
      // They can read that of another program, here of the shell.
      #expect(await run("cat /proc/$$/\(file) && exit 0") == 0, "\(file)")
    }
    #expect(await server.terminate() == 0)
  }
}
