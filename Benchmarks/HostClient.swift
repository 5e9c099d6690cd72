import BenchmarkSample
import Foundation
import NotificationHost
import PushPayload
import RichNotifications
import TestSupport
import UserNotifications
import _Spawn

/// An app's extension, which uses the host's environment in this process and the device's in its own.
final class HostedService: RichNotificationService {
  nonisolated(unsafe) static var hosted: RichEnvironment?

  override var environment: RichEnvironment { Self.hosted ?? super.environment }
}

/// An extension without `RichNotifications` that downloads the picture with a session, or waits if there is none.
private final class PlainService: UNNotificationServiceExtension {
  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    nonisolated(unsafe) let (handler, content) = (contentHandler, request.content)
    guard let text = content.userInfo["image_url"] as? String, let url = URL(string: text) else {
      DispatchQueue.global().asyncAfter(deadline: .now() + 28) { handler(content) }
      return
    }
    URLSession.shared.downloadTask(with: url) { file, _, _ in
      let target = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).png")
      guard let file, (try? FileManager.default.moveItem(at: file, to: target)) != nil,
        let picture = try? UNNotificationAttachment(identifier: "", url: target),
        let changed = content.mutableCopy() as? UNMutableNotificationContent
      else { return handler(content) }
      changed.attachments = [picture]
      handler(changed)
    }.resume()
  }
}

/// The process `host`: delivers a text and a picture in this process, in virtual time, with both kinds of extension;
/// then delivers with child processes, each compared with a start of this program that exits at once.
///
/// Prints a line for each. The first four have the median, the processor time of one delivery and the peak memory over
/// idle. The last has the median and processor time of both sides, and the memory of the child. Times are in
/// microseconds.
func hostClient(_ arguments: [String]) async throws {
  let folder = URL(filePath: arguments[0], directoryHint: .isDirectory)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  let phone = BenchPhone(folder: folder)
  for payload in [BenchPhone.text, BenchPhone.picture] {
    try await print(line: phone.inProcess(payload) { HostedService() })
  }
  for payload in [BenchPhone.text, BenchPhone.picture] {
    try await print(line: phone.inProcess(payload) { PlainService() })
  }
  try await print(line: phone.byChild())
}

private func print(line numbers: [Double]) {
  print(numbers.map { "\($0)" }.joined(separator: " "))
}

private struct BenchPhone {
  static let text = #"{"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1}}"#
  static let picture =
    #"{"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1},"image_url":"https://a/i"}"#
  private static let png = (try? Fixtures.bytes("media/picture.png")) ?? []
  private static let (warmUps, deliveries, children) = (100, 1000, 100)

  let folder: URL
  private let clock = VirtualClock()

  private var app: VirtualPhone.App {
    var app = VirtualPhone.App(container: folder)
    app.temporaryDirectory = folder
    app.network = ScriptedNetwork(
      ["https://a/i": .init(body: .bytes(Self.png))], clock: clock)
    return app
  }

  func inProcess(
    _ json: String, makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension
  ) async throws -> [Double] {
    var app = app
    if let network = app.network {
      HostedService.hosted = RichEnvironment(
        loader: network, clock: clock, temporaryDirectory: folder)
    }
    app.makeExtension = makeExtension
    let host = VirtualPhone(app: app, clock: clock)
    let message = try PushMessage(json: json)
    for _ in 0..<Self.warmUps { try await deliver(message, to: host) }
    let (idle, used) = (anonymousMemory, processorTime(RUSAGE_SELF))
    var (times, peak) = ([Double](), 0)
    for _ in 0..<Self.deliveries {
      let start = ContinuousClock.now
      try await deliver(message, to: host)
      times.append((ContinuousClock.now - start) / .microseconds(1))
      if times.count % 10 == 0 { peak = max(peak, anonymousMemory) }
    }
    let processor = (processorTime(RUSAGE_SELF) - used) * 1e6 / Double(Self.deliveries)
    return [times.median, processor, Double(max(0, peak - idle))]
  }

  func byChild() async throws -> [Double] {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    var app = app
    app.process = ExtensionProcess(executable: program, arguments: ["extension"])
    let host = VirtualPhone(app: app, clock: clock)
    let message = try PushMessage(json: Self.text)
    var ours = (times: [Double](), processor: 0.0, memory: 0)
    var peer = (times: [Double](), processor: 0.0)
    for _ in 0..<Self.children {
      var used = Self.processorTimeOfAll
      var start = ContinuousClock.now
      ours.memory = max(ours.memory, try await deliver(message, to: host) ?? 0)
      ours.times.append((ContinuousClock.now - start) / .microseconds(1))
      try await Self.waitForChildren()
      ours.processor += Self.processorTimeOfAll - used
      (used, start) = (Self.processorTimeOfAll, .now)
      let empty = try ConnectedProcess(program.path, ["empty"], environment: [:])
      guard empty.wait() == .exited(code: 0) else {
        throw Child.Failure(description: "an empty child failed")
      }
      peer.times.append((ContinuousClock.now - start) / .microseconds(1))
      peer.processor += Self.processorTimeOfAll - used
    }
    let count = Double(Self.children) / 1e6
    return [
      ours.times.median, peer.times.median, ours.processor / count, peer.processor / count,
      Double(ours.memory),
    ]
  }

  @discardableResult
  private func deliver(_ message: PushMessage, to host: VirtualPhone) async throws -> Int? {
    let report = await host.deliver(message)
    guard report.outcome == .displayed, report.run.handlerCalls == 1 else {
      throw Child.Failure(description: "\(report)")
    }
    let asksForMedia = message.payload["image_url"] != nil
    guard report.attachments.count == (asksForMedia ? 1 : 0) else {
      throw Child.Failure(description: "\(report)")
    }
    for attachment in report.attachments {
      try FileManager.default.removeItem(at: attachment.file)
    }
    return report.run.peakMemoryBytes
  }

  private static var processorTimeOfAll: Double {
    processorTime(RUSAGE_SELF) + processorTime(RUSAGE_CHILDREN)
  }

  /// Waits for the children's exit, because their processor time counts and the report comes before it.
  private static func waitForChildren() async throws {
    while Machine.hasChildren { try await Task.sleep(for: .milliseconds(1)) }
  }
}

extension Machine {
  /// Whether this process has children; one that exited counts until it is reaped.
  fileprivate static var hasChildren: Bool {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.contains { !ProcessTable.lines("/proc/self/task/\($0)/children").isEmpty }
  }
}
