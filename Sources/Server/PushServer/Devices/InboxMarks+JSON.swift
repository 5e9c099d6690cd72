import PushModel
import PushPayload

extension InboxMarks {
  /// The largest number of ids in one list.
  static let idLimit = 1000

  /// Reads the ids of the read and the hidden messages from the members of a body.
  init(read: BodyValue?, hidden: BodyValue? = nil) throws(RequestError) {
    self.init()
    if let read {
      let (ids, until) = (read["ids"], read["until"])
      guard ids != nil || until != nil else { throw .missing(read.path(to: "ids")) }
      if let ids { self.read = try Self.ids(ids) }
      if let until {
        guard let time = Timestamp(iso8601: try until.string()) else {
          throw .refused(until.path, "must be an ISO 8601 date")
        }
        readUntil = time
      }
    }
    if let hidden { self.hidden = try Self.ids(hidden) }
  }

  private static func ids(_ field: BodyValue) throws(RequestError) -> [String] {
    let elements = try field.elements()
    guard (1...idLimit).contains(elements.count) else {
      throw .refused(field.path, "must have 1 to \(idLimit) ids")
    }
    var ids: [String] = []
    for element in elements {
      let id = try element.string()
      guard (1...64).contains(id.unicodeScalars.count) else {
        throw .refused(element.path, "must be 1 to 64 characters")
      }
      ids.append(id)
    }
    return ids
  }
}
