import Glibc

/// The head of an answer as it is sent.
struct ResponseHead {
  /// The framing of the body, which determines how the head gives its length.
  enum Length {
    case bytes(Int)
    case chunked
    /// The body ends when the connection is closed.
    case untilClose
  }

  /// Returns the bytes of the head; `nil` if a header has characters that would break the framing.
  ///
  /// The server itself adds the length, the date and the `Connection` header.
  static func bytes(
    _ response: HTTPResponse, length: Length, closes: Bool, date: String
  ) -> [UInt8]? {
    var text = "HTTP/1.1 \(response.status) \(reason(response.status))\r\nDate: \(date)\r\n"
    for (name, value) in response.headers {
      guard !own.contains(where: { HTTPFieldName.equal($0, name) }) else { continue }
      guard !name.isEmpty, name.utf8.allSatisfy(MessageFraming.isTokenByte),
        value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 })
      else { return nil }
      text += "\(name): \(value)\r\n"
    }
    switch length {
    case .bytes(let count):
      // RFC 9110, section 8.6: 204 must have no length, and with 304 it would be that of another answer.
      if ![204, 304].contains(response.status) { text += "Content-Length: \(count)\r\n" }
    case .chunked: text += "Transfer-Encoding: chunked\r\n"
    case .untilClose: break
    }
    if closes { text += "Connection: close\r\n" }
    return Array((text + "\r\n").utf8)
  }

  private static let own = ["content-length", "transfer-encoding", "connection", "date"]

  /// A time in the format of `Date` (RFC 9110, section 5.6.7).
  static func date(_ seconds: Int) -> String {
    var time = time_t(seconds)
    var parts = unsafe tm()
    unsafe gmtime_r(&time, &parts)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map(two).joined(separator: ":")
    let (weekday, month) = unsafe (Int(parts.tm_wday) % 7, Int(parts.tm_mon) % 12)
    let (day, year) = unsafe (two(parts.tm_mday), parts.tm_year + 1900)
    return "\(days[weekday]), \(day) \(months[month]) \(year) \(clock) GMT"
  }

  static func reason(_ status: Int) -> String { reasons[status] ?? "Status" }

  private static let reasons = [
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
    301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
    403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
    409: "Conflict", 410: "Gone", 412: "Precondition Failed", 413: "Content Too Large",
    415: "Unsupported Media Type", 416: "Range Not Satisfiable", 422: "Unprocessable Content",
    428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 501: "Not Implemented",
    502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    505: "HTTP Version Not Supported",
  ]
}

extension HTTPResponse {
  static let stopping = refusal(status: 503, "the server is stopping")

  static func tooLong(_ limit: Int) -> HTTPResponse {
    refusal(status: 413, "the body is longer than the \(limit) bytes allowed here")
  }

  /// Makes an answer that comes from the server itself and not from a handler.
  ///
  /// `reason` must not have characters that JSON escapes.
  static func refusal(
    status: Int, _ reason: String, headers: [(String, String)] = []
  ) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [("Content-Type", "application/json"), ("X-Content-Type-Options", "nosniff")]
        + headers,
      body: Array("{\"error\":\"\(reason)\"}".utf8))
  }
}
