// Sends any bytes to a real server over a socket, in parts. It has to answer each request that the parser alone finds, in
// order, then at most one refusal, and to close then.
import Glibc
@testable import _HTTPServer

private let server: HTTPServer = {
  do {
    return try HTTPServer { request in
      let name = digest("\(request.method) \(request.path) \(request.body)")
      return HTTPResponse(status: 200, headers: [("Request", name)])
    }
  } catch { fatalError("\(error)") }
}()

/// FNV-1a of a text, which tells one request from another one.
private func digest(_ text: String) -> String {
  let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
    (hash ^ UInt64(byte)) &* 0x100_0000_01b3
  }
  return String(hash, radix: 16)
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let part = bytes.first.map({ Int($0) * 8 + 1 }) else { return 0 }
  let rest = Array(bytes.dropFirst())
  let (expected, got) = (expectedAnswers(to: rest), answers(to: rest, inPartsOf: part))
  guard got == expected else { fatalError("expected \(expected), got \(got)") }
  return 0
}

/// The digest of each request's answer, and the status of a refusal at the end.
private func expectedAnswers(to bytes: [UInt8]) -> [String] {
  var reader = RequestReader()
  reader.append(bytes)
  var (answers, body, head): ([String], [UInt8], RequestHead?) = ([], [], nil)
  while let event = reader.next() {
    switch event {
    case .head(let next):
      if case .length(let length) = next.framing, length > 1 << 20 { return answers + ["413"] }
      (head, body) = (next, [])
    case .body(let piece): body += piece
    case .end:
      guard let head else { break }
      answers.append(digest("\(head.method) \(RequestTarget(head.target).path) \(body)"))
      if !head.keepsAlive { return answers }
    case .refused(let refusal): return answers + ["\(refusal.status)"]
    }
  }
  return answers
}

/// What the server answers, in the same form.
private func answers(to bytes: [UInt8], inPartsOf part: Int) -> [String] {
  let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(client) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = server.port.bigEndian
  address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
  let connected = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  if connected != 0, errno == EINTR { return answers(to: bytes, inPartsOf: part) }
  guard connected == 0 else { fatalError("connect: \(errno)") }
  var on: Int32 = 1
  setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  var patience = timeval(tv_sec: 8, tv_usec: 0)
  setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  var rest = bytes[...]
  while !rest.isEmpty {
    // A server that has refused may have closed.
    let piece = Array(rest.prefix(part))
    guard send(client, piece, piece.count, Int32(MSG_NOSIGNAL)) > 0 else { break }
    rest = rest.dropFirst(part)
  }
  shutdown(client, Int32(SHUT_WR))
  var all: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = recv(client, &buffer, buffer.count, 0)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { fatalError("the server neither answers nor closes: \(errno)") }
    guard count > 0 else { break }
    all += buffer[..<count]
  }
  return parsed(String(decoding: all, as: UTF8.self))
}

private func parsed(_ text: String) -> [String] {
  var answers: [String] = []
  var rest = Substring(text)
  while let end = rest.firstRange(of: "\r\n\r\n") {
    let lines = rest[..<end.lowerBound].split(separator: "\r\n")
    rest = rest[end.upperBound...]
    let status = String(lines[0].split(separator: " ")[1])
    if status == "100" { continue }
    let name = lines.first { $0.hasPrefix("Request: ") }.map { String($0.dropFirst(9)) }
    answers.append(name ?? status)
    // A refusal is the last answer, and has a body.
    if name == nil { return answers }
  }
  return answers
}
