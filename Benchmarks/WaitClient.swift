import APNsSandbox
import Foundation
import PushPayload
import Synchronization

/// The process `waits FOLDER MILLISECONDS`: a sandbox that prints its port, and a client that sends to one user at a time.
///
/// The sandbox answers after that time. Each line `PORT KEY COUNT FIRST` of the standard input posts a push to each of
/// COUNT users, from the first, one every 50 ms, to the server at that port. Then a ``LoadReport`` is printed, of the
/// times from a request to the push at the sandbox. Both are in one process, so that one clock has both times.
func waitClient(_ arguments: [String]) async throws {
  guard arguments.count == 2, let delay = Int(arguments[1]) else { return }
  let read = { (name: String) in
    try String(contentsOfFile: arguments[0] + "/" + name, encoding: .utf8)
  }
  let arrivals = Arrivals()
  var configuration = VirtualAPNs.Configuration(
    certificatePEM: try read("server.pem"), keyPEM: try read("server.key"))
  configuration.latency = .fixed(.milliseconds(delay))
  configuration.decide = { delivery in
    arrivals.note(delivery.payload)
    return .accept
  }
  let sandbox = try VirtualAPNs(configuration: configuration)
  print(try await sandbox.start())
  fflush(nil)
  while let line = readLine() {
    let words = line.split(separator: " ").map(String.init)
    guard words.count == 4, let port = UInt16(words[0]), let count = Int(words[2]),
      let first = Int(words[3])
    else { return }
    let report = try waits(
      count, from: first, at: LoadConnection(port: port), key: words[1], arrivals)
    print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
    fflush(nil)
  }
  await sandbox.stop()
}

private func waits(
  _ count: Int, from first: Int, at connection: LoadConnection, key: String, _ arrivals: Arrivals
) throws -> LoadReport {
  let request = LoadRequest(
    kind: .post, subject: "", credentials: Data((":" + key).utf8).base64EncodedString())
  var sent: [String: ContinuousClock.Instant] = [:]
  var due = ContinuousClock.now
  let start = due
  var report = LoadReport()
  for number in first..<first + count {
    let early = due - .now
    if early > .zero { usleep(UInt32(early / .microseconds(1))) }
    let answer = try connection.answer(to: request.bytes(number))
    let text = String(decoding: answer, as: UTF8.self)
    let body = text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? ""
    let id = try JSONValue(parsing: body)["notification"]?["id"]?.string
    if let id { sent[id] = due } else { report.failures += 1 }
    due = max(due + .milliseconds(50), .now)
  }
  // A push that has not come by then counts as a failure.
  let end = ContinuousClock.now + .seconds(60)
  while arrivals.count(of: sent.keys) < sent.count, .now < end { usleep(10_000) }
  let times = arrivals.times
  report.failures += sent.count - arrivals.count(of: sent.keys)
  report.summarize(sent.compactMap { id, time in times[id].map { ($0 - time) / .milliseconds(1) } })
  report.seconds = (.now - start) / .seconds(1)
  return report
}

/// The times at which the sandbox got the pushes to one user.
private final class Arrivals: Sendable {
  private let state = Mutex<[String: ContinuousClock.Instant]>([:])
  private let mark = Array("is on its way to you".utf8)

  var times: [String: ContinuousClock.Instant] { state.withLock(\.self) }

  func count(of ids: some Sequence<String>) -> Int {
    let times = times
    return ids.count { times[$0] != nil }
  }

  func note(_ payload: [UInt8]) {
    let now = ContinuousClock.now
    guard payload.contains(mark), let json = try? JSONValue(parsing: payload),
      let id = json["_nid"]?.string
    else { return }
    state.withLock { $0[id] = $0[id] ?? now }
  }
}
