import PushModel

extension RequestValues {
  /// Returns a whole number of the query, or `default` if it is absent.
  func integer(
    query name: String, in range: ClosedRange<Int>, default value: Int
  ) throws(RequestError) -> Int {
    guard let text = query(name) else { return value }
    guard let number = Int(text), range.contains(number) else {
      throw RequestError(
        .invalid, "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Returns the span from `from` to `to` of the query; a day without a time is the whole day.
  ///
  /// `length` is the length of the span if `from` is absent.
  func span(default length: Duration, at now: Timestamp) throws(RequestError) -> ClosedRange<
    Timestamp
  > {
    let end = try time(query: "to", dayEnds: true)
    let start = try time(query: "from") ?? (end ?? now) + (.zero - length)
    guard start <= end ?? now else { throw RequestError(.invalid, "from must not be after to") }
    return start...(end ?? now)
  }

  private func time(query name: String, dayEnds: Bool = false) throws(RequestError) -> Timestamp? {
    guard let text = query(name) else { return nil }
    // An unencoded plus sign is decoded as a space.
    guard let time = Timestamp(iso8601: text) ?? Timestamp(iso8601: text.replacing(" ", with: "+"))
    else { throw RequestError(.invalid, "\(name) must be an ISO 8601 date") }
    return dayEnds && text.utf8.count == 10 ? time + .milliseconds(86_399_999) : time
  }
}

extension RequestValues {
  /// Returns the query's cursor of a list; `nil` if it is absent or empty, so that the list is read from its start.
  ///
  /// - Throws: ``RequestError`` `.notFound` if the cursor is of another list, or too old.
  func cursor(of list: String, at now: Timestamp) throws(RequestError) -> Cursor? {
    guard let text = query("cursor"), !text.isEmpty else { return nil }
    guard text.utf8.count <= 256 else { throw .expiredCursor }
    return try Cursor(text, of: list, at: now)
  }
}
