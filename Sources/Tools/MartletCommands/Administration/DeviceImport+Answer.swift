import PushPayload
import PushServer

extension DeviceImport.Report {
  /// Reads a server's answer.
  ///
  /// - Throws: ``CommandFailure`` if a count is missing, as in the answer of another version.
  init(answer: JSONValue) throws(CommandFailure) {
    func count(_ name: String) throws(CommandFailure) -> Int {
      guard let count = answer[name]?.integer.flatMap({ Int(exactly: $0) }) else {
        throw CommandFailure(
          "the devices are imported, but the server's answer has no number \(name); use the martlet of"
            + " the server's version")
      }
      return count
    }
    self.init()
    accepted = try count("accepted")
    acceptedWithLosses = try count("accepted_with_losses")
    rejected = try count("rejected")
    skipped = try count("skipped")
    leftWithoutToken = try count("left_without_token")
    for line in answer["lines"]?.array ?? [] {
      guard let number = line["line"]?.integer.flatMap({ Int(exactly: $0) }),
        let error = line["error"]?.string
      else { continue }
      list((number, error))
    }
  }

  /// The number of lines that were rejected or lost a part.
  var faultCount: Int { rejected + acceptedWithLosses }

  /// The counts in one line.
  var summary: String {
    var parts = ["\(accepted) devices accepted"]
    if acceptedWithLosses > 0 { parts.append("\(acceptedWithLosses) of them with losses") }
    parts.append("\(rejected) rows rejected")
    if skipped > 0 { parts.append("\(skipped) empty rows skipped") }
    if leftWithoutToken > 0 {
      parts.append(
        "\(leftWithoutToken) devices left without a token, which now belongs to an id of the file"
      )
    }
    return parts.joined(separator: ", ")
  }
}
