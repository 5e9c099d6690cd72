import Foundation
import NotificationHost
import NotificationHostTesting
import Testing
import UserNotifications

/// A delegate that writes down its calls.
final class LoggingDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, Sendable
{
  private let log: Log
  private let disposition: URLSession.ResponseDisposition
  private let followsRedirects: Bool
  private let ended: @Sendable () -> Void

  init(
    _ log: Log, disposition: URLSession.ResponseDisposition = .allow, followsRedirects: Bool = true,
    ended: @escaping @Sendable () -> Void
  ) {
    self.log = log
    self.disposition = disposition
    self.followsRedirects = followsRedirects
    self.ended = ended
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    log.add("invalid: \(SessionExtension.describe(error))")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    log.add("redirect \(response.statusCode) to \(request.url?.path() ?? "")")
    completionHandler(followsRedirects ? request : nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) { log.add("sent \(bytesSent) of \(totalBytesExpectedToSend)") }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    log.add("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    completionHandler(disposition)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    log.add("data \(String(decoding: data.prefix(20), as: UTF8.self))")
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) { log.add("written \(bytesWritten), \(totalBytesWritten) of \(totalBytesExpectedToWrite)") }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL
  ) {
    let size = (try? Data(contentsOf: location))?.count ?? -1
    log.add("file of \(size) bytes, .\(location.pathExtension)")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) { log.add("metrics, \(metrics.redirectCount) redirects") }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    log.add("complete: \(SessionExtension.describe(error)), state \(task.state.rawValue)")
    ended()
  }
}

@Suite("The delegates of a URLSession", .timeLimit(.minutes(10)))
struct SessionDelegateTests {
  private typealias Fixture = SessionExtension

  private static let big = String(repeating: "x", count: 20_000)
  private static let responses: [String: ScriptedNetwork.Response] = [
    "https://a/text": .text("hello"), "https://a/moved": .redirect(302, to: "/text"),
    "https://a/big": .text(big), "https://a/missing": .text("gone", status: 404),
    "https://a/post": .text("thanks", status: 201),
  ]

  /// A task without a handler, and the calls of the session's delegate.
  struct Calls: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var disposition = URLSession.ResponseDisposition.allow
    var followsRedirects = true
    var calls: [String]
    var task: @Sendable (URLSession) -> URLSessionTask
  }

  static let calls: [Calls] = [
    Calls(
      testDescription: "data",
      calls: [
        "response 200", "data hello", "metrics, 0 redirects", "complete: no error, state 3",
      ]
    ) { $0.dataTask(with: Fixture.request("https://a/text")) },
    Calls(
      testDescription: "data after a redirect",
      calls: [
        "redirect 302 to /text", "response 200", "data hello", "metrics, 1 redirects",
        "complete: no error, state 3",
      ]
    ) { $0.dataTask(with: Fixture.request("https://a/moved")) },
    Calls(
      testDescription: "a redirect that is not followed", followsRedirects: false,
      calls: [
        "redirect 302 to /text", "response 302", "metrics, 1 redirects",
        "complete: no error, state 3",
      ]
    ) { $0.dataTask(with: Fixture.request("https://a/moved")) },
    Calls(
      testDescription: "a response that is not wanted", disposition: .cancel,
      calls: ["response 200", "metrics, 0 redirects", "complete: error -999, state 3"]
    ) { $0.dataTask(with: Fixture.request("https://a/text")) },
    Calls(
      testDescription: "an error of the network",
      calls: ["metrics, 0 redirects", "complete: error -1009, state 3"]
    ) { $0.dataTask(with: Fixture.request("https://a/unknown")) },
    Calls(
      testDescription: "a status is no error",
      calls: [
        "response 404", "data gone", "metrics, 0 redirects", "complete: no error, state 3",
      ]
    ) { $0.dataTask(with: Fixture.request("https://a/missing")) },
    Calls(
      testDescription: "an upload",
      calls: [
        "sent 4 of 4", "response 201", "data thanks", "metrics, 0 redirects",
        "complete: no error, state 3",
      ]
    ) {
      $0.uploadTask(
        with: Fixture.request("https://a/post", method: "POST"), from: Data("body".utf8))
    },
    Calls(
      testDescription: "a download in two pieces",
      calls: [
        "written 16384, 16384 of 20000", "written 3616, 20000 of 20000", "metrics, 0 redirects",
        "file of 20000 bytes, .tmp", "complete: no error, state 3",
      ]
    ) { $0.downloadTask(with: Fixture.request("https://a/big")) },
    Calls(
      testDescription: "a download that fails",
      calls: ["metrics, 0 redirects", "complete: error -1009, state 3"]
    ) { $0.downloadTask(with: Fixture.request("https://a/unknown")) },
  ]

  @Test("are called in the system's order", arguments: calls)
  func order(calls: Calls) async throws {
    let report = try await Fixture.deliver(Self.responses) { reply in
      let log = Log()
      let delegate = LoggingDelegate(
        log, disposition: calls.disposition, followsRedirects: calls.followsRedirects
      ) { reply(log.text) }
      let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
      calls.task(session).resume()
    }
    report.expect(.displayed, body: calls.calls.joined(separator: "\n"))
    #expect(!report.run.expired)
  }

  @Test("a task with a handler tells the delegate only about redirects and bodies")
  func handler() async throws {
    let report = try await Fixture.deliver(Self.responses) { reply in
      let log = Log()
      let delegate = LoggingDelegate(log) {}
      let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
      session.dataTask(with: Fixture.request("https://a/moved")) { data, _, _ in
        log.add("handler \(data?.count ?? 0)")
        reply(log.text)
      }.resume()
    }
    report.expect(
      .displayed, body: "redirect 302 to /text\nmetrics, 1 redirects\nhandler 5")
  }

  @Test("the delegate of a task comes before the session's", arguments: [true, false])
  func taskDelegate(isAwaited: Bool) async throws {
    let (own, shared) = (Log(), Log())
    let report = try await Fixture.deliver(Self.responses) { reply in
      let delegate = LoggingDelegate(own, followsRedirects: false) { reply("done") }
      let session = URLSession(
        configuration: .default, delegate: LoggingDelegate(shared) {}, delegateQueue: nil)
      let request = Fixture.request("https://a/moved")
      if isAwaited {
        Task {
          let response = try await session.data(for: request, delegate: delegate).1
          reply("\((response as? HTTPURLResponse)?.statusCode ?? 0)")
        }
      } else {
        let task = session.dataTask(with: request)
        task.delegate = delegate
        task.resume()
      }
    }
    report.expect(.displayed, body: isAwaited ? "302" : "done")
    #expect(own.lines.first == "redirect 302 to /text" && shared.lines.isEmpty)
  }

  @Test("the methods of a delegate may be async")
  func asyncMethods() async throws {
    final class Delegate: NSObject, URLSessionDataDelegate, Sendable {
      let log: Log
      let reply: @Sendable (String) -> Void

      init(_ log: Log, _ reply: @escaping @Sendable (String) -> Void) {
        self.log = log
        self.reply = reply
      }

      func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest
      ) async -> URLRequest? {
        log.add("redirect")
        return SessionExtension.request("https://a/big")
      }

      func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
      ) async -> URLSession.ResponseDisposition {
        log.add("response of \(response.expectedContentLength)")
        return .cancel
      }

      func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
      ) {
        log.add(SessionExtension.describe(error))
        reply(log.text)
      }
    }
    let report = try await Fixture.deliver(Self.responses) { reply in
      let delegate = Delegate(Log(), reply)
      let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
      session.dataTask(with: Fixture.request("https://a/moved")).resume()
    }
    report.expect(.displayed, body: "redirect\nresponse of 20000\nerror -999")
  }

  @Test("the calls are on the given queue", arguments: ["own", "main", "concurrent"])
  func queue(name: String) async throws {
    let report = try await Fixture.deliver(Self.responses) { reply in
      let queue = name == "main" ? OperationQueue.main : OperationQueue()
      if name == "own" { queue.maxConcurrentOperationCount = 1 }
      let session = URLSession(configuration: .default, delegate: nil, delegateQueue: queue)
      session.dataTask(with: Fixture.request("https://a/text")) { _, _, _ in
        reply(OperationQueue.current === queue ? "its queue" : "another")
      }.resume()
    }
    report.expect(.displayed, body: "its queue")
  }

  @Test("handlers of a session are called one after the other, also of tasks that end at once")
  func serial() async throws {
    let report = try await Fixture.deliver(Self.responses) { reply in
      let running = Log()
      let session = URLSession(configuration: .default)
      for _ in 0..<20 {
        session.dataTask(with: Fixture.request("https://a/text")) { _, _, _ in
          running.add("begin")
          for _ in 0..<3 { sched_yield() }
          running.add("end")
          if running.lines.count == 40 { reply(running.lines.joined()) }
        }.resume()
      }
    }
    report.expect(.displayed, body: String(repeating: "beginend", count: 20))
  }

  @Test(
    "an invalidated session tells its delegate when its tasks are done", arguments: [true, false])
  func invalidation(cancels: Bool) async throws {
    let log = Log()
    // A task that is canceled has not ended by then: its response stops after a byte.
    var text = ScriptedNetwork.Response.text("hello")
    if cancels { text.stallsAfter = 1 }
    let report = try await Fixture.deliver(["https://a/text": text]) { reply in
      let session = URLSession(
        configuration: .default, delegate: LoggingDelegate(log) {}, delegateQueue: nil)
      session.dataTask(with: Fixture.request("https://a/text")) { _, _, error in
        log.add("handler: \(Fixture.describe(error))")
      }.resume()
      cancels ? session.invalidateAndCancel() : session.finishTasksAndInvalidate()
      Thread.detachNewThread {
        while session.delegate != nil || log.lines.last?.hasPrefix("invalid") != true {
          sched_yield()
        }
        reply(log.text)
      }
    }
    let error = cancels ? "error -999" : "no error"
    report.expect(
      .displayed, body: "metrics, 0 redirects\nhandler: \(error)\ninvalid: no error")
  }
}
