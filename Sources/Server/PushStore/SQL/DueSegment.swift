import PushModel
import PushPayload

/// A row of `segments` that is due.
struct DueSegment {
  var number: Int64
  var send: SendKey
  var devices: DeviceNumbers
  var taken: Int
  var due: Timestamp
  var quiet: QuietWindows?
  var isTransactional: Bool
  var throttle: Int?

  init(row: inout SQLRow, app: Int64) throws {
    number = try row.integer("number")
    let send = SendKey(app: app, number: try row.integer("send"))
    self.send = send
    do throws(StoredValueError) {
      (devices, taken) = try (row.devices("devices"), row.int("taken"))
      guard (0...devices.count).contains(taken) else { throw row.fault("taken", "is out of range") }
      due = try row.time("due_at")
      quiet = try row.optionalParsed("quiet", QuietWindows.init(text:))
      isTransactional = try row.bool("transactional")
      throttle = try row.optionalInt("throttle")
      guard throttle.map({ (1...1_000_000_000).contains($0) }) ?? true else {
        throw row.fault("throttle", "is out of range")
      }
    } catch {
      throw error.of(.send(send))
    }
  }
}
