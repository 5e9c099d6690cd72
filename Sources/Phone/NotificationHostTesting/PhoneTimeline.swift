import Foundation
import NotificationHost
import RichNotifications

/// The events of a phone's pushes as lines of text, in the order of the clock.
struct PhoneTimeline: CustomStringConvertible {
  private struct Line {
    var time: Duration
    var push: Int
    var text: String
  }

  private let pushes: [PushLog]
  private let now: Duration

  /// Creates a timeline.
  ///
  /// - Parameters:
  ///   - pushes: The pushes in the order of their arrival.
  ///   - now: The clock's time.
  init(_ pushes: [PushLog], now: Duration) {
    self.pushes = pushes
    self.now = now
  }

  var description: String {
    guard !pushes.isEmpty else { return "no push has arrived" }
    let lines = pushes.enumerated().flatMap { index, push in
      [Line(time: push.start, push: index, text: "arrives\(push.kind)")]
        + push.timeline.map { Line(time: push.start + $0.time, push: index, text: $0.text) }
    }
    // The order of the log is kept where times are equal.
    let sorted = lines.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    let events = sorted.map { text($0.element) }
    return (events + openLines).joined(separator: "\n")
  }

  /// The work that is open now, one line each; empty if all work is done.
  var openLines: [String] {
    pushes.enumerated().flatMap { index, push in
      push.openWork.map { text(Line(time: now, push: index, text: "still open: \($0)")) }
    }
  }

  private func text(_ line: Line) -> String {
    let time = line.time.secondsText
    let space = String(repeating: " ", count: max(0, 10 - time.count))
    return "\(space)\(time)  push \(line.push + 1)  \(line.text)"
  }
}

extension PushLog {
  /// How the push arrives: its type and its collapse identifier.
  fileprivate var kind: String {
    let type = message.pushType.map { " as \($0)" } ?? " without apns-push-type"
    return type + (message.collapseID.map { ", with apns-collapse-id \($0)" } ?? "")
  }

  /// The events as text, with the time since the push arrived.
  fileprivate var timeline: [(time: Duration, text: String)] {
    events.map { event in
      switch event {
      case .began(let time): (time, "the extension begins to run")
      case .decided(let decision): (decision.at, "\(decision.rule): \(decision.fullMessage)")
      case .requested(let index): (requests[index].sent, requests[index].line)
      case .answered(let index, let status, let time):
        (time, "\(status) from \(requests[index].url.absoluteString)")
      case .ended(let index, let time): (time, requests[index].endText)
      }
    }
  }

  /// The work that is not done yet, with the time of the clock since which it is open.
  fileprivate var openWork: [String] {
    var lines: [String] = []
    if report == nil {
      let expiry = decisions.first { $0.rule == HostRule.expiryWarning.name }
      let begin = events.compactMap { event -> Duration? in
        guard case .began(let time) = event else { return nil }
        return time
      }.first
      if let begin {
        let warning = expiry.map {
          ", not even after serviceExtensionTimeWillExpire at \((start + $0.at).secondsText)"
        }
        lines.append(
          "the extension runs since \((start + begin).secondsText) and has not called its "
            + "content handler\(warning ?? "")")
      } else {
        lines.append("the extension waits for its turn since \(start.secondsText)")
      }
    }
    for request in requests where request.ended == nil {
      let answer =
        request.status.map { "answered with \($0), \(request.receivedBytes) bytes so far" }
        ?? "no response"
      lines.append("\(request.line) since \((start + request.sent).secondsText), \(answer)")
    }
    return lines
  }
}

extension ExtensionRequest {
  /// The method and the URL.
  var line: String { "\(method) \(url.absoluteString)" }

  fileprivate var endText: String {
    let bytes = "\(receivedBytes) bytes"
    guard let error else { return "\(url.absoluteString) ends after \(bytes)" }
    return "\(url.absoluteString) fails after \(bytes): \(error)"
  }
}

extension Duration {
  /// The time in seconds with three decimals: `29.000 s`.
  var secondsText: String {
    let milliseconds = Int64((self / .milliseconds(1)).rounded())
    let fraction = String(milliseconds.magnitude % 1000)
    let zeros = String(repeating: "0", count: 3 - fraction.count)
    return "\(milliseconds < 0 ? "-" : "")\(milliseconds.magnitude / 1000).\(zeros)\(fraction) s"
  }
}
