import Foundation
import PushPayload
@testable import NotificationHost
import NotificationHostTesting
import Testing
import UserNotifications

@Suite("The tasks of a URLSession", .timeLimit(.minutes(10)))
struct SessionTaskTests {
  private typealias Fixture = SessionExtension

  private static let lines = "one\n\ntwo\r\nthree"
  private static let responses: [String: ScriptedNetwork.Response] = {
    var stalls = ScriptedNetwork.Response.text(String(repeating: "x", count: 20_000))
    stalls.stallsAfter = 16_384
    var breaks = ScriptedNetwork.Response.text(lines)
    breaks.breaksAfter = 5
    return [
      "https://a/text": .text("hello"), "https://a/moved": .redirect(307, to: "/text"),
      "https://a/lines": .text(lines), "https://a/stalls": stalls, "https://a/breaks": breaks,
    ]
  }()

  @Test("know their requests, response, bytes and state")
  func properties() async throws {
    let report = try await Fixture.deliver(Self.responses) { reply in
      let session = URLSession(configuration: .default)
      let first = session.dataTask(with: Fixture.request("https://a/text")) { _, _, _ in }
      let request = Fixture.request("https://a/moved", method: "POST", body: "body")
      let box = Log()
      let task = session.dataTask(with: request) { _, _, _ in
        session.getAllTasks { tasks in
          for task in tasks { box.add("open \(task.taskIdentifier)") }
          reply(box.text)
        }
      }
      session.getAllTasks { [weak task] tasks in
        guard let task else { return }
        box.add("all \(tasks.map(\.taskIdentifier)) \(task.state.rawValue)")
        task.resume()
        task.resume()
      }
      withExtendedLifetime((first, task)) { _ = DispatchSemaphore(value: 0).wait(timeout: .now()) }
      Self.kept.add(first)
      Self.kept.add(task)
    }
    report.expect(.displayed, body: "all [1, 2] 1\nopen 1")
    let task = try #require(Self.kept.last)
    #expect(task.state == .completed && task.error == nil)
    #expect(task.originalRequest?.url?.path() == "/moved")
    #expect(task.currentRequest?.url?.path() == "/text")
    #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
    #expect(task.countOfBytesSent == 4 && task.countOfBytesExpectedToSend == 4)
    #expect(task.countOfBytesReceived == 5 && task.countOfBytesExpectedToReceive == 5)
    #expect(task.progress.fractionCompleted == 1)
  }

  /// Tasks that a test looks at after the extension has replied.
  private final class Kept: Sendable {
    private let tasks = Locked<[URLSessionTask]>([])
    var last: URLSessionTask? { tasks.withLock { $0.last } }
    func add(_ task: URLSessionTask) { tasks.withLock { $0.append(task) } }
  }

  private static let kept = Kept()

  /// A load that takes too long.
  struct Timeout: Sendable {
    var request: TimeInterval = 60
    var resource: TimeInterval = 604_800
    var bandwidth: Int?
    var url = "https://a/stalls"
    var body: String
    var seconds: Double
  }

  @Test(
    "end at the timeouts of the configuration",
    arguments: [
      Timeout(request: 7, body: "error -1001", seconds: 7),
      Timeout(resource: 9, body: "error -1001", seconds: 9),
      Timeout(request: 3, resource: 9, body: "error -1001", seconds: 3),
      // Each piece of 16,384 bytes takes 4 s.
      Timeout(
        request: 5, resource: 17, bandwidth: 4096, url: "https://a/big", body: "65536", seconds: 16),
      Timeout(
        request: 5, resource: 11, bandwidth: 4096, url: "https://a/big", body: "error -1001",
        seconds: 11),
      Timeout(
        request: 3, resource: 15, bandwidth: 4096, url: "https://a/big", body: "error -1001",
        seconds: 3),
    ])
  func timeouts(timeout: Timeout) async throws {
    let clock = VirtualClock()
    var responses = Self.responses
    responses["https://a/big"] = .text(String(repeating: "x", count: 65_536))
    let network = ScriptedNetwork(responses, clock: clock, bandwidth: timeout.bandwidth)
    let phone = try TestPhone(clock: clock) { app in
      app.network = network
    } makeExtension: {
      SessionExtension { reply in
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = timeout.request
        configuration.timeoutIntervalForResource = timeout.resource
        let session = URLSession(configuration: configuration)
        session.dataTask(with: Fixture.request(timeout.url)) { data, _, error in
          reply(data.map { "\($0.count)" } ?? Fixture.describe(error))
        }.resume()
      }
    }
    let report = try await phone.deliver(#"{"aps": {"alert": "Hi", "mutable-content": 1}}"#)
    report.expect(.displayed, body: timeout.body)
    let difference = report.run.elapsed - .seconds(timeout.seconds)
    #expect(difference >= .zero && difference < .seconds(5), "\(report.run.elapsed)")
  }

  @Test(
    "that are canceled end with cancelled, before and after they start", arguments: [true, false])
  func cancel(starts: Bool) async throws {
    let report = try await Fixture.deliver(Self.responses) { reply in
      let task = URLSession.shared.dataTask(with: Fixture.request("https://a/stalls")) {
        reply("\($0?.count ?? 0) \(Fixture.describe($2))")
      }
      if starts { task.resume() }
      task.cancel()
      task.cancel()
      task.resume()
    }
    report.expect(.displayed, body: "0 error -999")
    #expect(report.requests.count == (starts ? 1 : 0))
  }

  @Test("that are suspended go on when they are resumed")
  func suspend() async throws {
    let clock = VirtualClock()
    let network = ScriptedNetwork(Self.responses, clock: clock, latency: .seconds(1))
    let phone = try TestPhone(clock: clock) { app in
      app.network = network
    } makeExtension: {
      SessionExtension { reply in
        let log = Log()
        let task = URLSession.shared.dataTask(with: Fixture.request("https://a/text")) {
          data, _, _ in
          log.add("handler \(data?.count ?? 0)")
          reply(log.text)
        }
        task.resume()
        task.suspend()
        log.add("state \(task.state.rawValue)")
        URLSession(configuration: .default).dataTask(with: Fixture.request("https://a/lines")) {
          _, _, _ in
          log.add("other")
          task.resume()
        }.resume()
      }
    }
    let report = try await phone.deliver(#"{"aps": {"alert": "Hi", "mutable-content": 1}}"#)
    report.expect(.displayed, body: "state 1\nother\nhandler 5")
  }

  @Test("a canceled Swift task cancels its load")
  func canceledTask() async throws {
    let report = try await Fixture.deliver(Self.responses) { reply in
      let task = Task {
        do {
          _ = try await URLSession.shared.data(for: Fixture.request("https://a/stalls"))
        } catch {
          reply(Fixture.describe(error))
        }
      }
      task.cancel()
    }
    report.expect(.displayed, body: "error -999")
  }

  @Test("bytes and lines are read while they arrive")
  func bytes() async throws {
    let report = try await Fixture.deliver(Self.responses) {
      let request = Fixture.request("https://a/lines")
      let (bytes, response) = try await URLSession.shared.bytes(for: request)
      var count = 0
      for try await _ in bytes { count += 1 }
      let url = try #require(request.url)
      var lines: [String] = []
      for try await line in try await URLSession.shared.bytes(from: url).0.lines {
        lines.append(line)
      }
      return "\(count) of \(response.expectedContentLength) \(lines)"
    }
    report.expect(.displayed, body: #"15 of 15 ["one", "two", "three"]"#)
  }

  @Test("bytes end with the error of the load", arguments: ["https://a/breaks", "https://a/none"])
  func brokenBytes(url: String) async throws {
    let log = Log()
    let report = try await Fixture.deliver(Self.responses) {
      let (bytes, _) = try await URLSession.shared.bytes(for: Fixture.request(url))
      for try await line in bytes.lines { log.add(line) }
      return "the end"
    }
    let isBroken = url.hasSuffix("breaks")
    report.expect(.displayed, body: isBroken ? "error -1005" : "error -1009")
    #expect(log.lines == (isBroken ? ["one"] : []))
  }

  @Test("bytes that are not read to the end cancel the load")
  func droppedBytes() async throws {
    let report = try await Fixture.deliver(Self.responses) {
      let request = Fixture.request("https://a/stalls")
      let (bytes, _) = try await URLSession.shared.bytes(for: request)
      for try await byte in bytes { return "\(byte)" }
      return "no byte"
    }
    report.expect(.displayed, body: "120")
  }

  @Test("a handler of a session may use Data(contentsOf:)")
  func nested() async throws {
    let report = try await Fixture.deliver(Self.responses) { reply in
      URLSession.shared.dataTask(with: Fixture.request("https://a/lines")) { _, _, _ in
        let data = Fixture.request("https://a/moved").url.flatMap { try? Data(contentsOf: $0) }
        reply(data.map { String(decoding: $0, as: UTF8.self) } ?? "nothing")
      }.resume()
    }
    report.expect(.displayed, body: "hello")
    #expect(report.run.elapsed < .seconds(5))
  }

  @Test("a task of an invalidated session ends the process, as on a phone")
  func invalidated() async {
    await #expect(processExitsWith: .failure) {
      let session = URLSession(configuration: .default)
      session.invalidateAndCancel()
      _ = session.dataTask(with: URL(fileURLWithPath: "/"))
    }
  }

  /// Source: regularberry.github.io, "Uploading data in the background in iOS".
  @Test("a handler in a background session ends the process, as on a phone")
  func backgroundHandler() async {
    await #expect(processExitsWith: .failure) {
      let configuration = URLSessionConfiguration.background(withIdentifier: "a")
      configuration.sharedContainerIdentifier = "group.a"
      let session = URLSession(configuration: configuration)
      _ = session.dataTask(with: URL(fileURLWithPath: "/")) { _, _, _ in }
    }
  }
}
