import Foundation
import PushPayload

extension DeviceRecord {
  /// The record as the bytes of its file.
  var bytes: Data {
    var members: [String: JSONValue] = [
      "version": 2, "id": .string(id), "secret": .string(secret),
      "phase": .string(phase.rawValue), "wanted": .object(wanted), "known": .object(known),
      "doubtful": Self.json(doubtful),
      "refused": .object(
        refused.mapValues { ["value": $0.value, "reason": .string($0.reason)] }),
      "registered": .bool(isRegistered), "opened": .bool(isOpened),
    ]
    members["proof"] = proof.map(JSONValue.string)
    members["refreshed_at"] = refreshedAt.map(JSONValue.integer)
    members["flight"] = flight?.json
    return CheckedJSON.bytes(members)
  }

  /// Reads the bytes of a record's file; `nil` if they are damaged or another version wrote them.
  init?(_ bytes: Data) {
    guard let members = CheckedJSON.members(bytes), case let json = JSONValue.object(members),
      let id = json["id"]?.string, !id.isEmpty, let secret = json["secret"]?.string,
      !secret.isEmpty, let phase = json["phase"]?.string.flatMap(Phase.init),
      let wanted = json["wanted"]?.object, let known = json["known"]?.object
    else { return nil }
    self.init(id: id, secret: secret)
    self.phase = phase
    self.wanted = wanted
    self.known = known
    doubtful = Self.strings(json["doubtful"])
    refused = (json["refused"]?.object ?? [:]).compactMapValues { refusal in
      guard let value = refusal["value"], let reason = refusal["reason"]?.string else { return nil }
      return Refusal(value: value, reason: reason)
    }
    isRegistered = json["registered"]?.bool ?? false
    isOpened = json["opened"]?.bool ?? false
    proof = json["proof"]?.string
    refreshedAt = json["refreshed_at"]?.integer
    flight = json["flight"].flatMap(Flight.init)
    // An unknown member, or one of another type, may change the meaning of the others, so the record is rejected.
    guard CheckedJSON.members(self.bytes) == members else { return nil }
  }

  /// The record that replaces this one if its file is damaged.
  ///
  /// It has the wanted values, and doubts them and every value that the server may have. It does not have the user token.
  var spare: DeviceRecord {
    var spare = DeviceRecord(id: id, secret: secret)
    spare.phase = phase
    spare.wanted = wanted
    spare.doubtful = doubtful.union(known.keys).union(wanted.keys)
    spare.isRegistered = isRegistered
    return spare
  }

  fileprivate static func json(_ texts: Set<String>) -> JSONValue {
    .array(texts.sorted().map(JSONValue.string))
  }

  fileprivate static func strings(_ json: JSONValue?) -> Set<String> {
    Set(json?.array?.compactMap(\.string) ?? [])
  }
}

extension DeviceRecord.Flight {
  fileprivate var json: JSONValue {
    [
      "id": .string(id), "role": .string(role), "session": .string(session),
      "started_at": .integer(startedAt), "doubtful": DeviceRecord.json(doubtful),
    ]
  }

  fileprivate init?(_ json: JSONValue) {
    guard let id = json["id"]?.string, let role = json["role"]?.string,
      let session = json["session"]?.string, let startedAt = json["started_at"]?.integer
    else { return nil }
    self.init(
      id: id, role: role, session: session, startedAt: startedAt,
      doubtful: DeviceRecord.strings(json["doubtful"]))
  }
}
