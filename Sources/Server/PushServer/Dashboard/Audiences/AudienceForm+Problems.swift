extension AudienceForm {
  /// An error of the API in the words of the form: the conditions are the elements of the request's array.
  func problem(_ error: RequestError) -> String {
    guard let path = error.path, error.message.hasPrefix(path),
      let match = path.wholeMatch(of: /\$\[(\d+)\](.*)/), let index = Int(match.1)
    else {
      return error.message.replacing("$.more", with: "The additional filters")
        .replacing("$.user_ids", with: "The user IDs")
    }
    let problem = error.message.dropFirst(path.count)
    let row = index - moreCount
    let place = row < 0 ? "additional filter \(index + 1)" : "condition \(row + 1)"
    if match.2 == ".name" {
      let name = rows.indices.contains(row) ? " “\(rows[row].field)”" : ""
      return "The field\(name) of \(place)\(problem)"
    }
    if match.2.hasPrefix(".criteria") { return "The value of \(place)\(problem)" }
    return "The \(place)\(problem)"
  }
}
