import PushPayload

extension StoredPushes.Change {
  /// The line of the journal for the change, which names the request of the push by its connection and stream.
  func journalLine(time: Int64) -> String {
    let line: JSONValue = .object([
      "time": .string(SandboxRequest.timestamp(time)),
      "connection": .integer(Int64(push.connection)),
      "stream": .integer(Int64(push.stream)),
      "token": .string(push.token),
      "apns_id": .string(push.apnsID),
      "delivery": .string(fate.rawValue),
    ])
    return String(decoding: line.serialized(), as: UTF8.self)
  }
}
