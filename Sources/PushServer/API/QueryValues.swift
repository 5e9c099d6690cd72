import PushStore

extension Call {
  /// A whole number of the query.
  func integer(
    query name: String, in range: ClosedRange<Int>, default value: Int
  ) throws(APIError) -> Int {
    guard let text = query(name) else { return value }
    guard let number = Int(text), range.contains(number) else {
      throw APIError(
        422, "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The span from `from` to `to`; a day alone is all of that day.
  func span(default length: Duration, at now: Timestamp) throws(APIError) -> ClosedRange<Timestamp>
  {
    let end = try time(query: "to", dayEnds: true)
    let start = try time(query: "from") ?? (end ?? now) + (.zero - length)
    guard start <= end ?? now else { throw APIError(422, "from must not be after to") }
    return start...(end ?? now)
  }

  private func time(query name: String, dayEnds: Bool = false) throws(APIError) -> Timestamp? {
    guard let text = query(name) else { return nil }
    // A plus that nobody encoded stands for a space.
    guard let time = Timestamp(iso8601: text) ?? Timestamp(iso8601: text.replacing(" ", with: "+"))
    else { throw APIError(422, "\(name) must be an ISO 8601 date") }
    return dayEnds && text.utf8.count == 10 ? time + .milliseconds(86_399_999) : time
  }
}

extension Call {
  /// Where the caller left a list; `nil` where it begins.
  ///
  /// - Throws: ``APIError`` 404 where that was in another list, or too long ago.
  func cursor(of list: String, at now: Timestamp) throws(APIError) -> Cursor? {
    guard let text = query("cursor") else { return nil }
    guard (1...256).contains(text.utf8.count) else { throw .expiredCursor }
    return try Cursor(text, of: list, at: now)
  }
}
