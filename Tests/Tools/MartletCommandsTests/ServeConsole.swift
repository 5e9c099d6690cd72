import Foundation
import PushPayload
import Synchronization
import TestSupport

@testable import MartletCommands

/// A console for a command that keeps running: its lines as they are printed, and a way to end it
/// as SIGTERM does.
final class ServeConsole: Sendable {
  private struct State {
    var lines: [String] = []
    var errors: [String] = []
    var waiters: [(prefix: String, found: CheckedContinuation<String?, Never>)] = []
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let environment: [String: String]
  private let termination = AsyncStream<Void>.makeStream()
  private let hangUps = AsyncStream<Void>.makeStream()

  init(environment: [String: String] = [:]) { self.environment = environment }

  var output: [String] { state.withLock(\.lines) }
  var errors: [String] { state.withLock(\.errors) }

  private var console: Console {
    Console(
      environment: environment, print: { self.take($0) },
      printError: { line in self.state.withLock { $0.errors.append(line) } },
      readInput: { _ in Data() }, readLine: { nil }, isTerminal: false,
      terminations: { self.termination.stream }, reloads: { self.hangUps.stream })
  }

  func run(_ line: [String]) async -> ExitCode {
    let code = await runMartlet(line, console)
    let waiters = state.withLock { state in
      state.hasEnded = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.found.resume(returning: nil) }
    return code
  }

  func terminate() { termination.continuation.yield() }

  /// Does what SIGHUP does.
  func hangUp() { hangUps.continuation.yield() }

  /// The rest of the first line with a prefix; `nil` where the command ends without one.
  func rest(after prefix: String) async -> String? {
    let line: String? = await withCheckedContinuation { found in
      let known: String?? = state.withLock { state in
        if let line = state.lines.first(where: { $0.hasPrefix(prefix) }) { return .some(line) }
        if state.hasEnded { return .some(nil) }
        state.waiters.append((prefix, found))
        return nil
      }
      if let known { found.resume(returning: known) }
    }
    return line.map { String($0.dropFirst(prefix.count)) }
  }

  private func take(_ line: String) {
    let found = state.withLock { state in
      state.lines.append(line)
      let found = state.waiters.filter { line.hasPrefix($0.prefix) }
      state.waiters.removeAll { line.hasPrefix($0.prefix) }
      return found
    }
    for waiter in found { waiter.found.resume(returning: line) }
  }
}

/// A `martlet serve` that runs in this process on a free port.
struct RunningServe {
  let console: ServeConsole
  let url: String
  private let run: Task<ExitCode, Never>

  /// Starts it; `nil` where it ended before it listened, which its console explains.
  static func start(
    _ options: [String], environment: [String: String] = [:]
  ) async -> RunningServe? {
    let console = ServeConsole(environment: environment)
    let run = Task { await console.run(["serve", "--listen", "127.0.0.1:0"] + options) }
    guard let url = await console.rest(after: "listening on ") else { return nil }
    return RunningServe(console: console, url: url, run: run)
  }

  func stop() async -> ExitCode {
    console.terminate()
    return await run.value
  }
}

/// The built program, run by a user to whom file permissions apply.
struct Unprivileged: Sendable {
  private let program: String
  private let prefix: [String]

  /// `nil` where root cannot become `nobody`, or `nobody` cannot read the program.
  init?() async {
    program = BuiltProgram.martlet
    prefix = geteuid() == 0 ? ["runuser", "-u", "nobody", "--"] : []
    guard await runProgram("/usr/bin/env", prefix + [program, "--version"]).status == 0 else {
      return nil
    }
  }

  /// The exit status and the text on standard error.
  func callAsFunction(_ line: [String]) async -> (status: Int32, error: String) {
    let shell = ["sh", "-c", #"exec "$@" 2>&1 >/dev/null"#, "sh", program]
    let result = await runProgram("/usr/bin/env", prefix + shell + line)
    return (result.status, result.output)
  }
}
