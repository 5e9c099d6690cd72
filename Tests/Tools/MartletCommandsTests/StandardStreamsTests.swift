import Foundation
import TestSupport
import Testing

@Suite("The process's own streams", .timeLimit(.minutes(10)))
struct StandardStreamsTests {
  private let martlet = BuiltProgram.martlet

  @Test(
    "a result that cannot be written is no result: exit 1 and one line",
    arguments: ["lint --rules > /dev/full", "--version > /dev/full", "--help >&-"])
  func lost(command: String) async {
    let (status, output) = await shell("\"$0\" " + command.replacing(">", with: "2>&1 >"))
    #expect(status == 1)
    #expect(output == "martlet: cannot write standard output: is it open, and the disk not full?")
  }

  @Test("an error in the command line is exit 2, wherever the output goes")
  func wrong() async {
    #expect(await shell("\"$0\" 2>&1 > /dev/full").status == 2)
  }

  @Test(
    "endless standard input is refused after 16 MiB", arguments: ["lint", "simulate", "send"])
  func endless(command: String) async {
    let options =
      command == "send"
      ? " --bundle-id a.b --team-id TEAM123456 --key-id KEY1234567 --key-file /k --token aa" : ""
    let (status, output) = await shell("\"$0\" \(command)\(options) - < /dev/zero 2>&1")
    #expect(status == (command == "send" ? 1 : 2))
    #expect(output.contains("standard input has more than 16 MiB; a payload has 4 KiB"))
  }

  @Test("a payload may come through a pipe", arguments: ["lint", "simulate"])
  func pipe(command: String) async {
    let text = #"{"aps":{"alert":"Hello"}}"#
    let (status, output) = await shell(
      "echo '\(text)' | \"$0\" \(command) /dev/fd/0 2>&1 > /dev/null")
    #expect(status == 0, "\(output)")
  }

  private func shell(_ script: String) async -> (status: Int32, output: String) {
    await runProgram("/bin/sh", ["-c", script, martlet])
  }
}
