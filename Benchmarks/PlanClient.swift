import BenchmarkSample
import Foundation
import MediaLoading
import PushPayload
import RichNotifications
import Synchronization

/// The process `plan FOLDER`: plans each fixture, padded to 4 KB, many times, and prints the median and the slowest
/// fixture in microseconds, each with the time to decode the same bytes.
///
/// The best of fifty rounds counts, because other load on the machine can only add time.
func planClient(_ arguments: [String]) throws {
  let files = FileManager.default.enumerator(atPath: arguments[0])?.compactMap { $0 as? String }
  let payloads = (files ?? []).filter { $0.contains("/") && $0.hasSuffix(".json") }.sorted()
    .compactMap { file in
      (try? Data(contentsOf: URL(filePath: arguments[0]).appending(path: file)))
        .flatMap { try? JSONValue(parsing: $0) }
    }
    .map { payload in
      let filled = fill(payload)
      return (payload: filled, data: filled.serialized())
    }
  let environment = RichEnvironment(loader: OfflineMediaLoader())
  var ours = [[Double]](repeating: [], count: payloads.count)
  var peer = ours
  for _ in 0..<50 {
    for (number, sample) in payloads.enumerated() {
      ours[number].append(microseconds { plan(sample.payload, environment) })
      peer[number].append(
        microseconds { _ = try? JSONSerialization.jsonObject(with: sample.data) })
    }
  }
  let best = zip(ours, peer).map { (ours: $0.min() ?? .nan, peer: $1.min() ?? .nan) }
  guard let slowest = best.max(by: { $0.ours < $1.ours }) else { return }
  print("\(best.map(\.ours).median) \(best.map(\.peer).median)")
  print("\(slowest.ours) \(slowest.peer)")
}

/// Pads a payload to 4096 bytes with keys as vendors' libraries add them.
func fill(_ payload: JSONValue) -> JSONValue {
  var members = payload.object ?? [:]
  var number = 0
  while JSONValue.object(members).serialized().count < 4000 {
    members["attribute_\(number)"] = .object(["value": .integer(Int64(number)), "of": "somebody"])
    number += 1
  }
  return .object(members)
}

private func plan(_ payload: JSONValue, _ environment: RichEnvironment) {
  _ = RichDelivery(
    IncomingNotification(payload: payload, text: NotificationText(title: "Title", body: "Body")),
    environment: environment
  ) { _ in }
}

/// The time of one of twenty runs, in microseconds.
func microseconds(_ body: () -> Void) -> Double {
  let start = ContinuousClock.now
  for _ in 0..<20 { body() }
  return (ContinuousClock.now - start) / .microseconds(20)
}

/// The process `thousand FOLDER`: delivers a hundred notifications, then a thousand, each with a picture, and prints
/// what the thousand left: open descriptors, files and bytes of memory; and the microseconds for each.
func thousandClient(_ arguments: [String]) throws {
  let folder = URL(filePath: arguments[0])
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  for number in 0..<100 { notify(number, folder) }
  let (descriptors, memory) = (openDescriptors, anonymousMemory)
  let start = ContinuousClock.now
  for number in 0..<1000 { notify(number, folder) }
  let elapsed = (ContinuousClock.now - start) / .microseconds(1000)
  let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).count
  print("\(openDescriptors - descriptors) \(files) \(anonymousMemory - memory) \(Int(elapsed))")
}

/// Delivers a notification; of three pictures one is a redirect to the first and one is cut off.
private func notify(_ number: Int, _ folder: URL) {
  let payload: JSONValue = [
    "aps": ["alert": "Body", "mutable-content": 1],
    "_martlet": ["media": [["url": .string("https://a.example/\(number % 3)")]]],
  ]
  var environment = RichEnvironment(loader: Pictures())
  environment.temporaryDirectory = folder
  var configuration = RichConfiguration()
  configuration.media.maximumTries = 1
  let ended = DispatchSemaphore(value: 0)
  RichDelivery(
    IncomingNotification(payload: payload, text: NotificationText(body: "Body")),
    configuration: configuration, environment: environment
  ) { content in
    // The system moves the files of attachments away, too.
    for media in content.attachments { try? FileManager.default.removeItem(at: media.file) }
    ended.signal()
  }.begin()
  ended.wait()
}

private struct Pictures: MediaLoader {
  private static let picture: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 200_000)

  func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    if request.url.path == "/1" {
      _ = sink.receive(MediaResponseHead(status: 302, headers: ["Location": "/0"]))
      sink.finish(MediaLoadError(.refused, "the sink refused"))
    } else {
      _ = sink.receive(MediaResponseHead(status: 200, headers: ["ETag": "\"a\""]))
      _ = Self.picture.withUnsafeBytes { sink.receive($0) }
      sink.finish(request.url.path == "/2" ? MediaLoadError(.network, "reset") : nil)
    }
    return Over()
  }

  private struct Over: MediaLoad { func cancel() {} }
}

private var openDescriptors: Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
}

/// The anonymous memory of this process in bytes.
var anonymousMemory: Int {
  let line = ProcessTable.lines("/proc/self/status").first { $0.hasPrefix("RssAnon:") }
  return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) << 10
}
