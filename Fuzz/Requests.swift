// Reads any bytes as what clients send on a connection, with the parsers of requests, bodies and PROXY headers. No input may
// crash them, and the parts in which bytes arrive may not change what is read.
@testable import _HTTPServer

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let part = bytes.first.map({ Int($0) + 1 }) else { return 0 }
  let rest = Array(bytes.dropFirst())
  precondition(read(rest, inPartsOf: part) == read(rest, inPartsOf: max(1, rest.count)))

  var header = ProxyHeader()
  var progress = header.next()
  for byte in rest {
    guard case .more = progress else { break }
    progress = header.next([byte])
  }
  let rule = ForwardedAddress { $0.hasPrefix("10.") }
  let field = (name: "X-Forwarded-For", value: String(decoding: rest, as: UTF8.self))
  _ = rule.client(of: "10.0.0.1", headers: [field])
  return 0
}

/// What a connection's requests are, as text.
private func read(_ bytes: [UInt8], inPartsOf part: Int) -> [String] {
  var reader = RequestReader()
  var (lines, body): ([String], [UInt8]) = ([], [])
  var rest = bytes[...]
  while !rest.isEmpty {
    reader.append(rest.prefix(part))
    rest = rest.dropFirst(part)
    while let event = reader.next() {
      switch event {
      case .head(let head):
        lines.append("\(head)")
      case .body(let piece): body += piece
      case .end:
        lines.append("\(body)")
        body = []
      case .refused(let refusal): return lines + ["\(refusal.status)"]
      }
    }
  }
  return lines
}
