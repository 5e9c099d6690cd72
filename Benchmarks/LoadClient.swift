import Foundation

/// The latencies of a server under load.
struct LoadReport: Codable {
  var seconds = 0.0
  /// The median and the 99th percentile of the latencies, in milliseconds.
  var median = 0.0
  var percentile99 = 0.0
  var failures = 0

  /// Sets the median and the percentile from latencies in milliseconds.
  mutating func summarize(_ latencies: [Double]) {
    let sorted = latencies.sorted()
    guard !sorted.isEmpty else { return }
    median = sorted[sorted.count / 2]
    percentile99 = sorted[sorted.count * 99 / 100]
  }
}

/// The process `load PORT KEY KIND CLIENTS COUNT PER-SECOND SUBJECT`: makes requests over connections that are kept alive,
/// one at a time on each, and prints a ``LoadReport``.
///
/// A rate of 0 means as fast as possible. What the subject is depends on the kind.
/// At a fixed rate each request has a time at which it is due, from which its latency counts, so that delays of earlier
/// requests count too. One thread serves all connections, because it shares the processors with the server.
func loadClient(_ arguments: [String]) throws {
  guard arguments.count == 7, let port = UInt16(arguments[0]),
    let kind = LoadRequest.Kind(rawValue: arguments[2]), let clients = Int(arguments[3]),
    let count = Int(arguments[4]), count > 0, let rate = Double(arguments[5])
  else { return }
  let request = LoadRequest(
    kind: kind, subject: arguments[6],
    credentials: Data((":" + arguments[1]).utf8).base64EncodedString())
  let connections = try (0..<clients).map { _ in try LoadConnection(port: port) }
  var begun = [ContinuousClock.Instant?](repeating: nil, count: clients)
  var (sent, answered) = (0, 0)
  var latencies: [Double] = []
  var report = LoadReport()
  let start = ContinuousClock.now
  while answered < count {
    // Idle connections take the due requests in turn, so that none is idle until the server closes it.
    var due: ContinuousClock.Instant?
    let turns = sent..<sent + clients
    for place in turns.map({ $0 % clients })
    where begun[place] == nil && sent < count && due == nil {
      let now = ContinuousClock.now
      let time = rate > 0 ? start + .seconds(Double(sent) / rate) : now
      if time > now {
        due = time
      } else {
        try connections[place].send(request.bytes(sent))
        begun[place] = time
        sent += 1
      }
    }
    let waiting = connections.indices.filter { begun[$0] != nil }
    let answering = try LoadConnection.wait(
      for: waiting.map { connections[$0].socket }, upTo: due.map { $0 - .now } ?? .seconds(60))
    guard due != nil || answering.contains(true) else {
      throw Child.Failure(description: "the server does not answer")
    }
    for (place, isAnswering) in zip(waiting, answering) where isAnswering {
      guard let answer = try connections[place].receive() else { continue }
      if let time = begun[place] { latencies.append((.now - time) / .milliseconds(1)) }
      begun[place] = nil
      answered += 1
      if LoadConnection.status(answer) / 100 != 2 { report.failures += 1 }
    }
  }
  report.seconds = (ContinuousClock.now - start) / .seconds(1)
  report.summarize(latencies)
  print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
}

/// Requests of one kind.
struct LoadRequest {
  enum Kind: String {
    /// Registers a device, as an app does when it starts; the subject is the number of the first.
    case upsert
    /// Reports that a device has received and displayed a notification, which is the subject.
    case receipts
    /// Sends to one user.
    case post
    /// Sends to one user, by a name and with labels.
    case named
    /// Counts an audience of three filters.
    case count
    /// Reads the path that is the subject.
    case get
  }

  var kind: Kind
  var subject: String
  var credentials: String

  func bytes(_ number: Int) -> [UInt8] {
    let (line, body) =
      switch kind {
      case .upsert:
        ("PUT /v6/devices/load-\(first + number)", Self.device(first + number))
      case .receipts: ("POST /v6/receipts", receipts(number))
      case .post:
        (
          "POST /v6/notifications",
          #"{"notification":{"to":[{"name":"user_id","criteria":["user-\#(number)"]}],"#
            + #""payload":{"title":"Your order","alert":"is on its way to you"}}}"#
        )
      case .named:
        (
          "POST /v6/notifications",
          #"{"notification":{"to":[{"name":"user_id","criteria":["user-\#(number)"]}],"#
            + #""name":"Order \#(number)","labels":["orders","week-\#(number % 52)"],"#
            + #""payload":{"title":"Your order","alert":"is on its way to you"}}}"#
        )
      case .count: ("POST /v6/audiences/count", Self.audience)
      case .get: ("GET \(subject)", "")
      }
    let type = body.isEmpty ? "" : "Content-Type: application/json\r\n"
    return Array(
      """
      \(line) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Basic \(credentials)\r
      \(type)Content-Length: \(body.utf8.count)\r\n\r\n\(body)
      """.utf8)
  }

  private var first: Int { Int(subject) ?? 0 }

  private func receipts(_ number: Int) -> String {
    let events = ["received", "displayed"].map { event in
      #"{"id":"\#(subject)-\#(number)-\#(event)","notification_id":"\#(subject)","#
        + #""device_id":"load-\#(number)","event":"\#(event)","at":"2026-01-01T00:00:00Z"}"#
    }
    return #"{"receipts":[\#(events.joined(separator: ","))]}"#
  }

  private static func device(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    let token = String(repeating: "b", count: 56) + String(repeating: "0", count: 8 - digits.count)
    return #"{"device":{"push_token":"\#(token + digits)","platform":"iOS","locale":"de_DE","#
      + #""time_zone":"Europe/Berlin","app_version":"4.2","os_version":"18.1","tags":["news"],"#
      + #""user_attributes":{"plan":{"type":"string","value":"gold"}}}}"#
  }

  private static let audience =
    #"{"audience":{"to":[{"name":"tags","criteria":["news"]},"#
    + #"{"name":"custom.string.plan","criteria":["gold","silver"]},"#
    + #"{"name":"events.video_plays","criteria":[{"gte":3,"lt":20}],"not_filter":true}]}}"#
}

/// A connection with at most one request in flight.
final class LoadConnection {
  let socket: Int32
  private var buffer = [UInt8](repeating: 0, count: 65536)
  private var count = 0

  init(port: UInt16) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Child.Failure(description: "cannot connect to \(port)") }
    var isOn: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, 4)
  }

  deinit { close(socket) }

  /// Waits until one of the sockets can be read or the time is up, and returns those that can.
  static func wait(for sockets: [Int32], upTo pause: Duration) throws -> [Bool] {
    var set = fd_set()
    return try withUnsafeMutableBytes(of: &set) { bits in
      for socket in sockets { bits[Int(socket) / 8] |= 1 << UInt8(socket % 8) }
      let microseconds = max(0, Int(pause / .microseconds(1)))
      var limit = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
      let pointer = bits.baseAddress?.assumingMemoryBound(to: fd_set.self)
      guard select((sockets.max() ?? 0) + 1, pointer, nil, nil, &limit) >= 0 else {
        throw Child.Failure(description: "the sockets cannot be waited for")
      }
      return sockets.map { bits[Int($0) / 8] & 1 << UInt8($0 % 8) != 0 }
    }
  }

  func send(_ request: [UInt8]) throws {
    guard Glibc.send(socket, request, request.count, 0) == request.count else {
      throw Child.Failure(description: "the request was not taken")
    }
  }

  /// Sends a request and returns the complete answer, head and body.
  func answer(to request: [UInt8]) throws -> ArraySlice<UInt8> {
    try send(request)
    while true {
      if let answer = try receive() { return answer }
    }
  }

  /// Reads more of the answer, and returns it once it is complete.
  func receive() throws -> ArraySlice<UInt8>? {
    if count == buffer.count { buffer += [UInt8](repeating: 0, count: count) }
    let more = buffer.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { recv(socket, $0 + count, bytes.count - count, 0) } ?? -1
    }
    guard more > 0 else { throw Child.Failure(description: "the server hung up") }
    count += more
    guard let length = Self.length(buffer[..<count]), count >= length else { return nil }
    count = 0
    return buffer[..<length]
  }

  /// The status code of an answer that begins with, for example, `HTTP/1.1 200 OK`.
  static func status(_ answer: ArraySlice<UInt8>) -> Int {
    answer[9..<12].reduce(0) { $0 * 10 + Int($1 & 15) }
  }

  /// The length of the answer; `nil` until its head is complete.
  private static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
    var body = 0
    var line = bytes.startIndex
    while let end = bytes[line...].firstIndex(of: UInt8(ascii: "\n")) {
      if end - line <= 1 { return end + 1 + body }
      let field = bytes[line..<end]
      if field.count > 16, field.first.map({ $0 | 0x20 }) == UInt8(ascii: "c"),
        String(decoding: field.prefix(15), as: UTF8.self).lowercased() == "content-length:"
      {
        body = field.dropFirst(15).reduce(0) {
          (0x30...0x39).contains($1) ? $0 * 10 + Int($1 & 15) : $0
        }
      }
      line = end + 1
    }
    return nil
  }
}
