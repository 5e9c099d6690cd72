import Foundation
import Synchronization

/// What a server did under load.
struct LoadReport: Codable {
  var seconds = 0.0
  /// In milliseconds: half and 99 of 100 of the requests took no longer.
  var median = 0.0
  var percentile99 = 0.0
  var failures = 0

  /// Takes what single requests took.
  mutating func take(_ latencies: [Double]) {
    let sorted = latencies.sorted()
    guard !sorted.isEmpty else { return }
    median = sorted[sorted.count / 2]
    percentile99 = sorted[sorted.count * 99 / 100]
  }
}

/// Makes requests over connections that are kept alive, each with one on its way, and prints a
/// ``LoadReport``: `load PORT KEY KIND CLIENTS COUNT PER-SECOND`, where 0 a second is as fast as it goes.
///
/// A request at a fixed rate has its time, and its latency counts from there: one that the server keeps
/// from being sent is not left out.
func loadClient(_ arguments: [String]) throws {
  guard arguments.count == 6, let port = UInt16(arguments[0]),
    let request = LoadRequest(rawValue: arguments[2]), let clients = Int(arguments[3]),
    let count = Int(arguments[4]), let rate = Double(arguments[5])
  else { return }
  let credentials = Data((":" + arguments[1]).utf8).base64EncodedString()
  let next = Atomic(0)
  let failures = Atomic(0)
  let latencies = Mutex<[Double]>([])
  let ended = DispatchSemaphore(value: 0)
  let start = ContinuousClock.now
  for _ in 0..<clients {
    Thread.detachNewThread {
      var mine: [Double] = []
      do {
        let connection = try LoadConnection(port: port)
        while true {
          let number = next.add(1, ordering: .relaxed).oldValue
          guard number < count else { break }
          var begin = ContinuousClock.now
          if rate > 0 {
            let due = start + .seconds(Double(number) / rate)
            if begin < due { usleep(UInt32((due - begin) / .microseconds(1))) }
            begin = due
          }
          let status = try connection.exchange(request.bytes(number, credentials))
          mine.append((.now - begin) / .milliseconds(1))
          if status / 100 != 2 { failures.add(1, ordering: .relaxed) }
        }
      } catch {
        failures.add(1, ordering: .relaxed)
      }
      latencies.withLock { $0 += mine }
      ended.signal()
    }
  }
  for _ in 0..<clients { ended.wait() }
  var report = LoadReport(seconds: (ContinuousClock.now - start) / .seconds(1))
  report.take(latencies.withLock(\.self))
  report.failures = failures.load(ordering: .relaxed)
  print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
}

/// What is asked of the server again and again.
enum LoadRequest: String {
  /// A device of its own registers, as an app does at its start.
  case upsert
  /// A send to one user.
  case post
  /// How many an audience of three filters has.
  case count

  func bytes(_ number: Int, _ credentials: String) -> [UInt8] {
    let (line, body) =
      switch self {
      case .upsert: ("PUT /v6/devices/load-\(number)", Self.device(number))
      case .post:
        (
          "POST /v6/notifications",
          #"{"notification":{"to":[{"name":"user_id","criteria":["user-\#(number)"]}],"#
            + #""payload":{"title":"Your order","alert":"is on its way to you"}}}"#
        )
      case .count: ("POST /v6/audiences/count", Self.audience)
      }
    return Array(
      """
      \(line) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Basic \(credentials)\r
      Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
      """.utf8)
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

/// One connection, for one thread.
final class LoadConnection {
  private let socket: Int32
  private var buffer = [UInt8](repeating: 0, count: 65536)

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

  /// Sends a request and reads the whole answer; returns its status.
  func exchange(_ request: [UInt8]) throws -> Int {
    let answer = try answer(to: request)
    // `HTTP/1.1 200 OK`
    return Int(String(decoding: answer.dropFirst(9).prefix(3), as: UTF8.self)) ?? 0
  }

  /// The whole answer, its head and its body.
  func answer(to request: [UInt8]) throws -> ArraySlice<UInt8> {
    guard send(socket, request, request.count, 0) == request.count else {
      throw Child.Failure(description: "the request was not taken")
    }
    var count = 0
    var end: Int?
    while end.map({ count < $0 }) ?? true {
      let more = buffer.withUnsafeMutableBytes { bytes in
        bytes.baseAddress.map { recv(socket, $0 + count, bytes.count - count, 0) } ?? -1
      }
      guard more > 0 else { throw Child.Failure(description: "the server hung up") }
      count += more
      if end == nil { end = Self.length(buffer[..<count]) }
      if count == buffer.count { buffer += [UInt8](repeating: 0, count: count) }
    }
    return buffer[..<count]
  }

  /// How long the answer is, once its head is there.
  private static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let text = String(decoding: bytes[..<end.upperBound], as: UTF8.self)
    guard let head = text.range(of: "\r\n\r\n") else { return nil }
    let name = text.range(of: "content-length: ", options: .caseInsensitive)
    let body = name.flatMap { Int(text[$0.upperBound...].prefix { $0.isNumber }) } ?? 0
    return text[..<head.upperBound].utf8.count + body
  }
}
