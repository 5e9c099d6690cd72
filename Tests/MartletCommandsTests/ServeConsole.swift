import Foundation
import PushPayload
import Synchronization

@testable import MartletCommands

/// A command line at work: its lines as they come, and a way to end it as SIGTERM does.
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

  init(environment: [String: String] = [:]) { self.environment = environment }

  var output: [String] { state.withLock(\.lines) }
  var errors: [String] { state.withLock(\.errors) }

  private var console: Console {
    Console(
      environment: environment, print: { self.take($0) },
      printError: { line in self.state.withLock { $0.errors.append(line) } },
      readInput: { Data() }, readLine: { nil }, isTerminal: false,
      untilTerminated: { for await _ in self.termination.stream { return } })
  }

  func run(_ line: [String]) async -> ExitCode {
    let code = await Martlet().run(line, console)
    let waiters = state.withLock { state in
      state.hasEnded = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.found.resume(returning: nil) }
    return code
  }

  func terminate() { termination.continuation.yield() }

  /// What follows a prefix in the first line that has it; `nil` where the command ends without.
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

/// A `martlet serve` in this process, on a free port.
struct RunningServe {
  let console: ServeConsole
  let url: String
  private let run: Task<ExitCode, Never>

  /// `nil` where it ended before it listened; its console has said why.
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

/// A directory that goes with the test.
final class ServeDirectory: Sendable {
  private let url: URL

  init() {
    url = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(filePath: path(name)))
    return path(name)
  }
}
