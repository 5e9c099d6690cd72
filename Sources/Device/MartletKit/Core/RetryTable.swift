import PushPayload

/// The library's reaction to a server's answer.
enum Verdict: Hashable, Sendable {
  /// The server has stored the request's content.
  case accepted
  /// Part of the request is invalid or too large. Its parts are sent alone, and then in halves, until the refused part is
  /// found. That part is dropped and named in ``PushStatus/problems``.
  case halve
  /// The server does not know the device: everything is sent again.
  case unknownDevice
  /// The server does not say whether it knows the device: it is asked by a request without any part.
  case ask
  /// The device was erased at the server: the files here are erased too.
  case erased
  /// A person has to change something, such as the key: nothing is sent until the app starts again.
  case refused
  /// The same is sent again, after ``RetryTable/delays`` or the server's `Retry-After`.
  case later
}

/// The meaning of each answer for each kind of request, and the wait before a request is repeated.
enum RetryTable {
  /// The kinds of requests: everything in one, each part of it alone, a token of a Live Activity, its removal, and the erasure.
  enum Kind: String, CaseIterable, Sendable {
    case sync, update, receipts, events, marks, token, tokenRemoval, erase
  }

  /// The statuses whose meaning differs from that of their class.
  private static let statuses: [Int: Verdict] = [
    400: .halve, 401: .refused, 403: .refused, 404: .refused, 408: .later, 409: .later,
    413: .halve, 422: .halve, 425: .later, 429: .later, 451: .erased,
  ]

  /// The statuses whose meaning differs for one kind of request.
  private static let exceptions: [Kind: [Int: Verdict]] = [
    .sync: [404: .unknownDevice], .events: [404: .unknownDevice],
    .marks: [404: .unknownDevice], .token: [403: .ask, 404: .unknownDevice],
    // There is nothing to halve, and the server cannot have a token that it does not accept.
    .tokenRemoval: [
      400: .accepted, 403: .ask, 404: .unknownDevice, 413: .accepted, 422: .accepted,
    ],
    // There is nothing to halve, and a device that the server does not know counts as erased.
    .erase: [400: .refused, 404: .accepted, 413: .refused, 422: .refused, 451: .accepted],
  ]

  /// The meaning of an answer; `nil` means that no answer came.
  ///
  /// A proxy may answer in the server's place, such as with a page that says that the server is maintained. Such an answer
  /// confirms nothing, and it erases nothing.
  static func verdict(_ response: PushResponse?, for kind: Kind) -> Verdict {
    guard let response else { return .later }
    let verdict = verdict(response.status, for: kind)
    guard [.accepted, .erased, .unknownDevice].contains(verdict) else { return verdict }
    let json = try? JSONValue(parsing: response.body)
    if 200..<300 ~= response.status {
      return isConfirmation(response.status, json, of: kind) ? verdict : .later
    }
    return json?["error"]?.string == nil ? .refused : verdict
  }

  /// Whether the content of an answer of 2xx is what the server's API has for the kind of request.
  private static func isConfirmation(_ status: Int, _ json: JSONValue?, of kind: Kind) -> Bool {
    switch kind {
    case .sync, .marks, .update: json?["dropped"]?.array != nil
    case .receipts, .events: json?.object != nil
    case .token, .tokenRemoval: status == 204
    case .erase: json?["device"]?.object != nil
    }
  }

  /// The meaning of a status in an answer of the server.
  static func verdict(_ status: Int, for kind: Kind) -> Verdict {
    if let verdict = exceptions[kind]?[status] ?? statuses[status] { return verdict }
    return switch status {
    case 200..<300: .accepted
    case 300..<500: .refused
    default: .later
    }
  }

  /// The seconds to wait after the first failure, the second, and so on; then the last.
  static let delays = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300]
  /// The longest wait that a server can ask for, in seconds.
  static let longestRetryAfter = 3600

  /// The milliseconds to wait after some failures in a row, or as long as the server asks for in seconds.
  ///
  /// `jitter` is a number from 0 to 1: the wait is between a half of the delay and all of it, so that phones which
  /// failed together do not come back together.
  static func wait(failures: Int, retryAfter: Int?, jitter: Double) -> Int64 {
    let delay = Double(delays[min(max(failures, 1), delays.count) - 1]) * 1000
    let own = Int64(delay * (0.5 + 0.5 * min(max(jitter, 0), 1)))
    guard let retryAfter else { return own }
    return max(own, Int64(min(max(retryAfter, 0), longestRetryAfter)) * 1000)
  }

  /// The most parts that one request may have.
  static func limit(of kind: Kind) -> Int {
    switch kind {
    case .sync, .update: .max
    case .receipts, .events, .marks: 100
    case .token, .tokenRemoval, .erase: 1
    }
  }
}
