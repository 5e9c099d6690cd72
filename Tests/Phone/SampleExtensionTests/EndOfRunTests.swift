import Foundation
import NotificationHost
import NotificationHostTesting
import SampleExtensions
import TestSupport
import Testing

/// Extensions that wait in every way on every network: after its report, nothing of an extension runs.
@Suite("The end of a run", .timeLimit(.minutes(60)))
struct EndOfRunTests {
  /// What the extension waits for.
  private enum Answer: CaseIterable, Sendable {
    /// At once.
    case quick
    /// In the second in which the extension is warned, and in which it is killed.
    case atExpiry, atTheEnd
    /// After the end.
    case late
    /// A byte every second.
    case slow
    /// The beginning, and nothing more.
    case stalled

    func network(on clock: VirtualClock) -> ScriptedNetwork {
      var response = ScriptedNetwork.Response(body: .bytes([UInt8](repeating: 1, count: 67)))
      if self == .stalled { response.stallsAfter = 20 }
      let latency: [Self: Int] = [.atExpiry: 29, .atTheEnd: 30, .late: 40]
      return ScriptedNetwork(
        [EndOfRunTests.url: response], clock: clock, latency: .seconds(latency[self] ?? 0),
        bandwidth: self == .slow ? 1 : nil)
    }
  }

  private enum Reply: String, CaseIterable, Sendable { case before, `while`, atExpiry, never }

  private struct Cell: Sendable {
    var way: Waiting
    var answer: Answer
    var reply: Reply
  }

  private static let url = "https://cdn.example/picture.png"
  /// The number of runs that are in progress at the same time.
  private static let atOnce = 8
  private static let count = Tier.sample(60, of: 1000)

  @Test("in the host's process, nothing of it runs after the report")
  func inProcess() async throws { try await run(isProcess: false) }

  @Test("as a process, nothing of it runs after the report")
  func asProcess() async throws { try await run(isProcess: true) }

  /// The cells in an order that has all ways, networks and replies early.
  private static func cells(isProcess: Bool) -> [Cell] {
    let all = Waiting.allCases.filter { isProcess || !$0.needsProcess }.flatMap { way in
      Answer.allCases.flatMap { answer in
        Reply.allCases.map { Cell(way: way, answer: answer, reply: $0) }
      }
    }
    var random = SeededGenerator(seed: 1)
    return all.shuffled(using: &random)
  }

  private func run(isProcess: Bool) async throws {
    let cells = Self.cells(isProcess: isProcess)
    let logs = TemporaryFolder()
    var ended: [EndedRun] = []
    try await withThrowingTaskGroup(of: EndedRun.self) { group in
      for number in 0..<Self.count {
        if number >= Self.atOnce, let run = try await group.next() { ended.append(run) }
        let cell = cells[number % cells.count]
        group.addTask {
          try await Self.deliver(cell, log: logs.path("\(number)"), isProcess: isProcess)
        }
      }
      for try await run in group { ended.append(run) }
    }
    let late = ended.filter { $0.text != $0.textNow }
    let left = ended.filter { FileManager.default.fileExists(atPath: $0.folder) }
    print(
      "\(isProcess ? "as a process" : "in process"): \(ended.count) runs of "
        + "\(Set(cells.map(\.way)).count) ways on \(Answer.allCases.count) networks: "
        + "\(late.count) with code after the report, \(left.count) with a folder left")
    #expect(ended.allSatisfy { $0.text.hasPrefix("didReceive\n") && !$0.text.contains("unknown") })
    for run in late { Issue.record("\(run.cell): “\(run.text)” became “\(run.textNow)”") }
    #expect(left.map(\.folder) == [])
  }

  /// A run whose report was made.
  private struct EndedRun: Sendable {
    var cell: Cell
    var log: String
    /// The log when the report was made.
    var text: String
    var folder: String

    var textNow: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }
  }

  private static func deliver(
    _ cell: Cell, log: String, isProcess: Bool
  ) async throws -> EndedRun {
    let clock = VirtualClock()
    var run = EndedRun(cell: cell, log: log, text: "", folder: "")
    do {
      let program = Bundle.main.executableURL?.deletingLastPathComponent()
        .appending(path: "SampleExtensionProcess")
      let executable = try #require(program)
      let phone = try TestPhone(clock: clock) { app in
        app.network = cell.answer.network(on: clock)
        app.appGroupIdentifier = "group.com.example.app"
        run.folder = app.container.deletingLastPathComponent().path
        guard isProcess else { return }
        app.process = ExtensionProcess(executable: executable, arguments: ["LingeringExtension"])
      } makeExtension: {
        LingeringExtension()
      }
      _ = try await phone.deliver(
        """
        {"aps": {"alert": "Hello", "mutable-content": 1}, "way": "\(cell.way.rawValue)",
          "reply": "\(cell.reply.rawValue)", "url": "\(url)", "log": "\(log)"}
        """)
      run.text = run.textNow
    }
    // The phone is gone, and its clock goes on.
    await withCheckedContinuation { continuation in
      _ = clock.schedule(after: .seconds(600)) { continuation.resume() }
    }
    return run
  }
}
