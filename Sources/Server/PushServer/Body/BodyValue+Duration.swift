import PushModel
import PushPayload

extension BodyValue {
  /// Reads a text that must be one of `words`.
  func word(of words: [String]) throws(RequestError) -> String {
    let word = try string()
    guard words.contains(word) else {
      throw .refused(path, "must be one of \(words.joined(separator: ", "))")
    }
    return word
  }

  /// Reads a duration in ISO 8601 of weeks, days, hours, minutes and seconds: `PT4H`, `P3D`.
  ///
  /// `limits` describes `range` in the error message.
  func duration(
    in range: ClosedRange<Duration> = .seconds(60) ... .seconds(2_592_000),
    _ limits: String = "one minute to 30 days"
  ) throws(RequestError) -> Duration {
    guard let duration = Self.duration(of: try string()) else {
      throw .refused(path, "must be an ISO 8601 duration such as PT4H or P3D")
    }
    guard range.contains(duration) else { throw .refused(path, "must be from \(limits)") }
    return duration
  }

  /// Parses a duration in ISO 8601; `nil` if the text has another form.
  static func duration(of text: String) -> Duration? {
    let pattern =
      /P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,7})S)?)?/
    guard let match = text.wholeMatch(of: pattern)?.output,
      text.hasSuffix("P") == false, text.hasSuffix("T") == false
    else { return nil }
    let parts: [(Substring?, Int)] = [
      (match.1, 7 * 86_400), (match.2, 86_400), (match.3, 3600), (match.4, 60), (match.5, 1),
    ]
    let seconds = parts.reduce(0) { $0 + (($1.0.flatMap { Int($0) }) ?? 0) * $1.1 }
    return .seconds(seconds)
  }
}
