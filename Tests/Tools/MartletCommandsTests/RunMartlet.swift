import Foundation
import TestSupport
import _Spawn

@testable import MartletCommands

/// Runs a command line in this process, or in one of the program under test if `TESTED_PROGRAMS` names its folder.
///
/// The same tests then try the program that is shipped. What the console offers is what the process gets: its environment, its
/// standard input, and SIGTERM and SIGHUP when the console reports them.
func runMartlet(_ line: [String], _ console: Console) async -> ExitCode {
  guard BuiltProgram.otherFolder != nil else { return await Martlet().run(line, console) }
  do {
    return try await runProcess(line, console)
  } catch {
    console.printError("\(BuiltProgram.martlet): \(error)")
    return .failure
  }
}

private func runProcess(_ line: [String], _ console: Console) async throws -> ExitCode {
  // Standard error comes by a named pipe, because a child process has one stream of lines.
  let folder = TemporaryFolder()
  let pipe = folder.path("errors")
  guard mkfifo(pipe, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
  let own = ProcessInfo.processInfo.environment.filter {
    ["HOME", "PATH", "TMPDIR"].contains($0.key)
  }
  let environment = own.merging(console.environment) { $1 }.map { "\($0.key)=\($0.value)" }
  let errors = try ChildProcess("/bin/cat", [pipe])
  let process = try ChildProcess(
    "/usr/bin/env",
    ["-i"] + environment + ["sh", "-c", #"errors=$1; shift; exec "$@" 2>"$errors""#, "sh", pipe]
      + [BuiltProgram.martlet] + line,
    input: try Array(console.readInput(.max)))
  let reported = Task {
    for await line in errors.lines { console.printError(line) }
  }
  return await withTaskGroup { group in
    group.addTask {
      for await _ in await console.reloads() { process.signal(SIGHUP) }
    }
    for await line in process.lines {
      console.print(line)
      // A server waits for its end once it listens; other commands end by themselves.
      guard line.hasPrefix("listening on ") else { continue }
      group.addTask {
        await console.untilTerminated()
        if !Task.isCancelled { process.signal(SIGTERM) }
      }
    }
    await reported.value
    let status = await process.wait()
    group.cancelAll()
    return ExitCode(rawValue: status) ?? .failure
  }
}
