import PushModel
import PushPayload

/// The `name` and `labels` by which a team finds a notification or a campaign again.
struct SendNaming: Sendable {
  /// The largest number of characters in a name.
  static let nameLimit = 255
  /// The largest number of labels, and of characters in each.
  static let labelCount = 20
  static let labelLimit = 64

  var name: String?
  var labels: [String]

  init(_ field: BodyValue) throws(RequestError) {
    name = try field["name"].map { value throws(RequestError) in try Self.name(value) }
    labels = try field["labels"].map { value throws(RequestError) in try Self.labels(value) } ?? []
  }

  static func name(_ field: BodyValue) throws(RequestError) -> String {
    let name = try field.string()
    if let problem = DisplayText.problem(name, upTo: nameLimit) {
      throw .refused(field.path, problem)
    }
    return name
  }

  private static func labels(_ field: BodyValue) throws(RequestError) -> [String] {
    let elements = try field.elements()
    guard elements.count <= labelCount else {
      throw .refused(field.path, "must have at most \(labelCount) labels")
    }
    var labels: [String] = []
    for element in elements {
      let label = try element.string()
      guard (1...labelLimit).contains(label.unicodeScalars.count),
        !label.unicodeScalars.contains(where: { $0.value < 32 })
      else {
        throw .refused(
          element.path, "must be 1 to \(labelLimit) characters without control characters")
      }
      if let problem = DisplayText.hiddenPart(of: label) {
        throw .refused(element.path, problem)
      }
      if !labels.contains(label) { labels.append(label) }
    }
    return labels
  }
}
