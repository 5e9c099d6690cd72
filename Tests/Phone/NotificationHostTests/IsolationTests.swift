import Foundation
import NotificationHost
import PushPayload
import RichNotifications
import TestSupport
import Testing
import _Spawn

/// A host whose extension is the executable `FaultyExtension`.
final class IsolatedPhone: Sendable {
  /// The executable, in the folder of the test runner.
  static let program = Bundle.main.executableURL?.deletingLastPathComponent()
    .appending(path: "FaultyExtension")

  let folder = TemporaryFolder()
  let clock = VirtualClock()
  private let filters: Bool

  init(filters: Bool = false) { self.filters = filters }

  func deliver(
    _ keys: String, answers: [String: ScriptedNetwork.Response] = [:], bandwidth: Int? = nil,
    memoryLimit: Int? = nil, behavior: HostBehavior = HostBehavior(), program: URL? = nil
  ) async throws -> DeliveryReport {
    var process = ExtensionProcess(
      executable: try #require(program ?? Self.program))
    if let memoryLimit { process.memoryLimit = memoryLimit }
    var app = VirtualPhone.App(container: folder.url, process: process)
    app.network = ScriptedNetwork(answers, clock: clock, bandwidth: bandwidth)
    app.temporaryDirectory = folder.url
    app.entitlements.filtering = filters
    let json = #"{"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1},\#(keys)}"#
    let message = PushMessage(payload: try JSONValue(parsing: json))
    return await VirtualPhone(app: app, clock: clock, behavior: behavior).deliver(message)
  }

  static var short: HostBehavior {
    var behavior = HostBehavior()
    // The process must start within it, on a busy machine too.
    behavior.timeLimit = .seconds(4)
    behavior.expiryGrace = .seconds(1)
    return behavior
  }
}

@Suite("An extension in its own process", .serialized, .timeLimit(.minutes(10)))
struct IsolationTests {
  @Test(
    "the end of its process shows the original, with the reason",
    arguments: [
      (#""fault":"trap""#, "crashed with signal"),
      (#""fault":"abort""#, "crashed with signal 6"),
      (#""fault":"exit","size":0"#, "ended by itself with exit code 0"),
      (#""fault":"exit","size":7"#, "ended by itself with exit code 7"),
      (#""fault":"allocate","size":100,"holds":1"#, "over the limit of 24.0 MiB"),
    ])
  func ends(keys: String, reason: String) async throws {
    let report = try await IsolatedPhone().deliver(keys)
    #expect(report.outcome == .displayedOriginal)
    #expect(report.reason.contains(reason))
    #expect(report.content?.title == "T")
    #expect(report.run.ran && report.run.handlerCalls == 0 && !report.run.expired)
  }

  @Test("an extension that blocks is warned, and killed at the time limit")
  func blocks() async throws {
    let report = try await IsolatedPhone().deliver(
      #""fault":"block""#, behavior: IsolatedPhone.short)
    #expect(report.outcome == .displayedOriginal && report.run.expired)
    #expect(report.reason.contains("in time"))
  }

  @Test("an extension that never replies takes 30 seconds of virtual time")
  func never() async throws {
    let report = try await IsolatedPhone().deliver(#""fault":"never""#)
    #expect(report.outcome == .displayedOriginal && report.run.expired)
    #expect(report.run.elapsed >= .seconds(30) && report.run.elapsed < .seconds(31))
  }

  @Test("the first call of the handler is accepted, and both are counted")
  func twice() async throws {
    let report = try await IsolatedPhone().deliver(#""fault":"twice""#)
    #expect(report.content?.title == "first" && report.run.handlerCalls == 2)
  }

  /// Each limit is said twice, in a line that is too long.
  @Test("limits of the model are in the trace, at most 100", arguments: [(200, 100), (202, 100)])
  func limits(count: Int, lines: Int) async throws {
    let report = try await IsolatedPhone().deliver(#""fault":"not-modelled","size":\#(count)"#)
    #expect(report.content?.title == "\(count) limits")
    let limits = report.trace.filter { $0.rule == "not-modelled" }
    #expect(limits.count == lines && limits.allSatisfy { $0.message.count == 500 })
    #expect(limits.first?.message.hasPrefix("Limit 0: xxx") == true)
    #expect(report.missingMediaReasons.dropFirst() == limits.map(\.message)[...])
  }

  @Test("the reply of an extension that blocks after it is shown")
  func repliesAndBlocks() async throws {
    let report = try await IsolatedPhone().deliver(#""fault":"reply-and-block""#)
    #expect(report.outcome == .displayed && report.content?.title == "replied")
  }

  @Test("its temporary folder is the host's, and files are moved when the handler is called")
  func files() async throws {
    let phone = IsolatedPhone()
    let temporary = try await phone.deliver(#""fault":"temporary""#).content?.title ?? ""
    #expect(temporary.hasPrefix(phone.folder.url.path()))
    _ = try phone.folder.write(Fixtures.bytes("media/picture.png"), to: "picture.png")
    let shown = try #require(try await phone.deliver(#""fault":"overwrite""#).attachments.first)
    #expect(try Data(contentsOf: shown.file) == Data(Fixtures.bytes("media/picture.png")))
  }

  @Test("a RichNotificationService uses the scripted network and the host's clock")
  func good() async throws {
    let answers = ["https://a/i": ScriptedNetwork.Response.fixture("picture.png")]
    let report = try await IsolatedPhone().deliver(
      #""image_url":"https://a/i""#, answers: answers, bandwidth: 10_000)
    #expect(report.attachments.map(\.type) == ["public.png"])
    #expect(report.run.elapsed > .seconds(11) && report.run.elapsed < .seconds(25))
    #expect(report.run.handlerCalls == 1)
  }

  @Test("a stalled download ends at the deadline of 25 seconds")
  func deadline() async throws {
    var answer = ScriptedNetwork.Response.fixture("picture.png")
    answer.stallsAfter = 1000
    let report = try await IsolatedPhone().deliver(
      #""_mediaUrl":"https://a/i","_mediaAlt":"Alternative""#, answers: ["https://a/i": answer])
    #expect(report.content?.body == "Alternative" && report.outcome == .displayed)
    #expect(report.run.elapsed >= .seconds(25) && report.run.elapsed < .seconds(29))
  }

  @Test("a video of 50 MB stays far below the memory limit")
  func film() async throws {
    let phone = IsolatedPhone()
    var film = try Fixtures.bytes("media/gold.mp4")
    film += [UInt8](repeating: 0, count: 50_000_000 - film.count)
    let elsewhere = TemporaryFolder()
    let file = try elsewhere.write(film, to: "film.mp4")
    let report = try await phone.deliver(
      #""video_url":"https://a/film.mp4""#,
      answers: ["https://a/film.mp4": .init(body: .file(file))])
    #expect(report.attachments.map(\.type) == ["public.mpeg-4"])
    let stored = try #require(report.attachments.first)
    #expect(try stored.file.resourceValues(forKeys: [.fileSizeKey]).fileSize == 50_000_000)
    let peak = try #require(report.run.peakMemoryBytes)
    #expect(peak < 12 << 20, "\(peak) bytes")
  }

  @Test(
    "an executable that cannot start, or is not an extension, is not reported as a crash",
    arguments: [
      ("/no/such/program", "cannot start"), ("/bin/true", "before it called ExtensionMain"),
    ])
  func noExtension(path: String, reason: String) async throws {
    let report = try await IsolatedPhone().deliver(
      #""fault":"good""#, program: URL(fileURLWithPath: path))
    #expect(report.outcome == .displayedOriginal && report.reason.contains(reason))
  }

  @Test("without a host it prints an error, and it ends with its host")
  func alone() async throws {
    let path = try #require(IsolatedPhone.program).path()
    #expect(await runProgram(path, []).status == 2)
    let child = try ConnectedProcess(path, [], environment: ["MARTLET_EXTENSION_HOST": "1"])
    #expect(child.channel.receive() != nil, "it says that it is ready")
    child.channel.shutDown()
    #expect(child.wait() == .exited(code: 0))
  }

  @Test("no process and no descriptor is leaked")
  func leftovers() async throws {
    let files = FileManager.default
    func descriptors() throws -> Int {
      try files.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
    func children() throws -> Int {
      let threads = try files.contentsOfDirectory(atPath: "/proc/self/task")
      return threads.reduce(0) { count, thread in
        let list = try? String(
          contentsOfFile: "/proc/self/task/\(thread)/children", encoding: .utf8)
        let own = (list ?? "").split(separator: " ").filter { child in
          (try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8))?
            .hasPrefix("FaultyExtension".prefix(15)) ?? false
        }
        return count + own.count
      }
    }
    let before = try descriptors()
    for fault in ["twice", "trap", "exit"] {
      for _ in 0..<10 { _ = try await IsolatedPhone().deliver(#""fault":"\#(fault)""#) }
    }
    // The report does not wait until the process is reaped. Other tests open a few files meanwhile.
    while try children() > 0 { await Task.yield() }
    #expect(try descriptors() < before + 30)
  }
}
