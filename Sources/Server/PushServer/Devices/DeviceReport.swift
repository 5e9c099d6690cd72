import PushModel
import PushPayload

/// All that an app reports of its device in one request.
///
/// Each part is read as in a request of its own, and all are read before the first is stored.
struct DeviceReport {
  var update: DevicePatchReader?
  var events: ValidElements<DeviceEvent>?
  var receipts: ValidElements<Receipt>?
  var marks: InboxMarks
  /// The paths of the marks.
  let markPaths: [String]
  /// The members that are not stored, without those of ``update``.
  var dropped: [DroppedMember]

  private static let names: Set = ["device", "events", "hidden", "read", "receipts"]

  /// Reads a report of the device with an id.
  init(_ body: BodyValue, of id: String) throws(RequestError) {
    receipts = try body["receipts"].map { field throws(RequestError) in
      try Receipt.list(field, of: id)
    }
    events = try body["events"].map { field throws(RequestError) in try DeviceEvent.list(field) }
    marks = try InboxMarks(read: body["read"], hidden: body["hidden"])
    markPaths = ["hidden", "read"].filter { body[$0] != nil }.map(body.path)
    update = try body["device"].map { field throws(RequestError) in try DevicePatchReader(field) }
    dropped = try Self.unknownMembers(of: body)
    dropped += (events?.dropped ?? []) + (receipts?.dropped ?? [])
  }

  /// The members that are not parts, which an app that is newer than its server may send.
  private static func unknownMembers(of body: BodyValue) throws(RequestError) -> [DroppedMember] {
    try body.object(upTo: DevicePatchReader.memberLimit).keys.filter { !names.contains($0) }
      .sorted().map { name in
        let path = body.path(to: name)
        return DroppedMember(.unknown(path, name, knows: names), at: path)
      }
  }
}
