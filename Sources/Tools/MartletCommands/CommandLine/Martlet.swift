import Foundation
import NotificationCards
import NotificationPreview

/// The command line, which finds a command, runs it and reports how it ended.
package struct Martlet: Sendable {
  package static let version = "0.1.0"
  /// Whether the repository has a tag for the version, which `scripts/release` sets.
  package static let isTagged = false
  /// The date of the version on the manual pages.
  static let date = "2026-11-22"

  package init() {}

  /// If this program was started as a child process, runs the command for that and exits.
  ///
  /// Call it before the process has a second thread.
  package static func runChild(_ line: [String]) {
    switch line.first {
    case SimulatedEngine.verb: SimulatedEngine.serve()
    case CardOrder.command:
      let line = "martlet: this program draws no pictures; install martlet-card beside it\n"
      FileHandle.standardError.write(Data(line.utf8))
      exit(ExitCode.failure.rawValue)
    default: break
    }
  }

  /// Runs one command line and returns its exit code; every error is printed as one line on standard
  /// error.
  ///
  /// Lost output is also an error, so that no script mistakes half a result for a whole one.
  package func run(_ line: [String], _ console: Console) async -> ExitCode {
    let code = await dispatch(line, console)
    guard console.hasLostOutput() else { return code }
    console.printError(
      "martlet: cannot write standard output: is it open, and the disk not full?")
    return max(code, .failure)
  }

  private func dispatch(_ line: [String], _ console: Console) async -> ExitCode {
    switch line.first {
    case nil:
      console.print(HelpText.overview)
      return .invalidInput
    case "--version":
      console.print("martlet \(Self.version)")
      return .success
    case "help", "--help", "-h": return help(line.dropFirst(), console)
    default: break
    }
    switch CommandTable.match(line) {
    case .command(let command):
      let words = line.dropFirst(command.words.count)
      if Self.asksForHelp(words) {
        console.print(HelpText.text(command))
        return .success
      }
      return await command.run(words, console)
    case .group(let group):
      if Self.asksForHelp(line.dropFirst()) {
        console.print(HelpText.text(group))
        return .success
      }
      let words = group.commands.compactMap(\.words.last).joined(separator: ", ")
      console.printError("martlet \(group.name): missing a subcommand: \(words)")
      return .invalidInput
    case .unknown(let words, let nearest):
      return unknown(words, nearest: nearest, console)
    }
  }

  /// Prints help for lines such as `help`, `help lint`, `help apps` and `help apps create`.
  private func help(_ words: ArraySlice<String>, _ console: Console) -> ExitCode {
    guard !words.isEmpty else {
      console.print(HelpText.overview)
      return .success
    }
    switch CommandTable.match(words) {
    case .command(let command): console.print(HelpText.text(command))
    case .group(let group): console.print(HelpText.text(group))
    case .unknown(let words, let nearest):
      return unknown(words, nearest: nearest, console)
    }
    return .success
  }

  private func unknown(_ words: String, nearest: String?, _ console: Console) -> ExitCode {
    let kind = words.hasPrefix("-") ? "option" : "command"
    let hint = nearest.map { "did you mean \($0)?" } ?? "see martlet --help"
    console.printError("martlet: unknown \(kind) \"\(words)\"; \(hint)")
    return .invalidInput
  }

  private static func asksForHelp(_ words: ArraySlice<String>) -> Bool {
    words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }
}
