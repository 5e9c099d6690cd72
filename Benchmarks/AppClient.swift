import Foundation
import MartletKit
import Synchronization

/// The process `app FOLDER`: for a line on standard input starts a device without a network, whose memory is measured from
/// outside; for a second line it starts many and prints how long that takes, and changes the tags of one.
func appClient(_ arguments: [String]) async throws {
  let folder = URL(filePath: arguments[0], directoryHint: .isDirectory)
  printLine("ready")
  guard readLine() != nil else { return }
  let first = try makeDevice(folder.appending(path: "first"), Offline())
  await first.start()
  await first.synchronize()
  printLine("started")
  guard readLine() != nil else { return }

  var times: [Double] = []
  var files = 0
  for number in 0..<500 {
    let device = try makeDevice(folder.appending(path: "\(number)"), Offline())
    device.setToken(Data([UInt8(number & 255)]))
    await device.update { $0.tags = ["tag"] }
    files += written(to: folder.appending(path: "\(number)"))
    let start = ContinuousClock.now
    await device.start()
    times.append((ContinuousClock.now - start) / .milliseconds(1))
  }
  times.sort()
  printLine("\(times.median) \(times[times.count * 99 / 100]) \(files)")

  let counter = Counter()
  let device = try makeDevice(folder.appending(path: "tags"), counter)
  await device.start()
  await device.synchronize()
  let before = counter.count.load(ordering: .relaxed)
  let start = ContinuousClock.now
  for number in 0..<1000 { await device.update { $0.tags = ["tag\(number)"] } }
  let elapsed = (ContinuousClock.now - start) / .microseconds(1)
  await device.synchronize()
  printLine("\(counter.count.load(ordering: .relaxed) - before) \(elapsed / 1000)")

  withExtendedLifetime(first) {}
}

private func makeDevice(_ folder: URL, _ transport: any PushTransport) throws -> PushDevice {
  guard let server = URL(string: "https://push.example.com") else { throw CancellationError() }
  return PushDevice(
    PushSettings(server: server, key: "key", folder: folder), transport: transport)
}

/// The number of files that a device has written.
private func written(to folder: URL) -> Int {
  FileManager.default.enumerator(atPath: folder.path)?.allObjects.count ?? 0
}

/// A phone without a network.
private struct Offline: PushTransport {
  func send(_ request: PushRequest) async throws(PushTransportError) -> PushResponse {
    throw PushTransportError("offline", isUnsent: true)
  }
}

/// A server that takes everything.
private final class Counter: PushTransport {
  let count = Atomic(0)

  func send(_ request: PushRequest) async throws(PushTransportError) -> PushResponse {
    count.add(1, ordering: .relaxed)
    return PushResponse(status: 200, body: Data(#"{"dropped":[]}"#.utf8))
  }
}
