import Foundation
import TestSupport
import Testing

@testable import MartletCommands

@Suite("Manual pages", .timeLimit(.minutes(10)))
struct ManualTests {
  private let folder = TemporaryFolder()

  @Test("a page for martlet and one for each command, which mandoc finds nothing wrong with")
  func pages() async throws {
    let console = RecordingConsole()
    let man = folder.path("made/man")
    #expect(await console.run("man", man) == .success)
    let names = try FileManager.default.contentsOfDirectory(atPath: man).sorted()
    let commands = CommandTable.commands.map { "martlet-\($0.words.joined(separator: "-")).1" }
    #expect(names == (["martlet.1"] + commands).sorted())
    let lint = await runProgram(
      "/usr/bin/env", ["mandoc", "-T", "lint", "-W", "style"] + names.map { "\(man)/\($0)" })
    #expect(lint.status == 0)
    #expect(lint.output == "")
  }

  @Test("a page has the options with their defaults, the environment and the exit codes")
  func content() async throws {
    let serve = try #require(CommandTable.commands.first { $0.name == "serve" })
    let file = try folder.write(ManualPage(serve).text, to: "martlet-serve.1")
    let result = await runProgram(
      "/usr/bin/env", ["mandoc", "-T", "ascii", "-O", "width=78", file])
    // Bold is a character, a backspace and the character again.
    let text = result.output.replacing(/.\u{8}/, with: "").replacing(/\s+/, with: " ")
    for part in [
      "martlet-serve - \(ServeCommand.summary)", "--listen HOST:PORT", "(default 127.0.0.1:8080)",
      "MARTLET_TLS_CERT", "EXIT STATUS", "sqlite:PATH|postgres://...",
    ] { #expect(text.contains(part), "\(part)") }
  }

  @Test("what roff reads as its own is escaped, and no line begins as a macro")
  func escapes() {
    #expect(Roff.escaped(#"a-b \n "x" … é"#) == #"a\-b \en \(dqx\(dq ... \[u00E9]"#)
    #expect(Roff.paragraph(".martlet-lint.json") == [#"\&.martlet\-lint.json"#])
    #expect(Roff.paragraph("'quoted'") == [#"\(aqquoted\(aq"#])
  }

  @Test("a folder that cannot be written is exit 1")
  func unwritable() async {
    let console = RecordingConsole()
    #expect(await console.run("man", "/dev/null/man") == .failure)
    #expect(console.errors.count == 1)
  }
}
