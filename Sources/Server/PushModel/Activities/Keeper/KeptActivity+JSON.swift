import Foundation
package import PushPayload

/// A kept activity as the store writes it.
extension KeptActivity {
  package var document: JSONValue {
    var members: [String: JSONValue] = [
      "content": content, "wanted": keeper.wanted.json,
      "phones": .object(
        Dictionary(uniqueKeysWithValues: keeper.phones.map { ("\($0)", $1.json) })),
      "number": .integer(Int64(keeper.lastNumber)),
      "sends": .object(Dictionary(uniqueKeysWithValues: sends.map { ("\($0)", .string($1)) })),
    ]
    members["channel"] = keeper.channel?.json
    members["named"] = keeper.named?.json
    return .object(members)
  }

  package init?(
    id: String, app: String, type: String, document: JSONValue, version: Int, createdAt: Timestamp
  ) {
    let names: Set = ["content", "wanted", "phones", "number", "sends", "channel", "named"]
    guard let members = document.members(among: names), let content = members["content"],
      let wanted = members["wanted"].flatMap(WantedActivity.init),
      let phones = members["phones"]?.object?.allValues(KeptPhone.init),
      let number = members["number"]?.integer,
      let sends = members["sends"]?.object?.allValues(\.string),
      document.mayHave("channel", KeptChannel.init),
      document.mayHave("named", DeviceNumbers.init(json:))
    else { return nil }
    var keeper = ActivityKeeper(wanted, named: members["named"].flatMap(DeviceNumbers.init(json:)))
    for (key, phone) in phones {
      guard let device = UInt32(key) else { return nil }
      keeper.phones[device] = phone
    }
    keeper.channel = members["channel"].flatMap(KeptChannel.init)
    keeper.lastNumber = Int(number)
    self.init(
      id: id, app: app, type: type, content: content, keeper: keeper, createdAt: createdAt)
    for (key, send) in sends {
      guard let number = Int(key) else { return nil }
      self.sends[number] = send
    }
    self.version = version
  }
}

extension WantedActivity {
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "revision": .integer(Int64(revision)), "alert": .integer(Int64(alertRevision)),
      "urgent": .integer(Int64(urgentRevision)), "over": .bool(isOver),
      "starts": .bool(startsPhones), "renews": .bool(isRenewed),
      "limit": .integer(Int64(urgentLimit)),
    ]
    members["heartbeat"] = heartbeat.map { .integer($0.components.seconds) }
    return .object(members)
  }

  init?(_ json: JSONValue) {
    let names: Set = [
      "revision", "alert", "urgent", "over", "starts", "renews", "limit", "heartbeat",
    ]
    guard let members = json.members(among: names), json.mayHave("heartbeat", \.integer),
      let revision = members["revision"]?.integer, let alert = members["alert"]?.integer,
      let urgent = members["urgent"]?.integer, let isOver = members["over"]?.bool,
      let starts = members["starts"]?.bool, let renews = members["renews"]?.bool,
      let limit = members["limit"]?.integer
    else { return nil }
    self.init()
    (self.revision, alertRevision, urgentRevision) = (Int(revision), Int(alert), Int(urgent))
    (self.isOver, startsPhones, isRenewed) = (isOver, starts, renews)
    (urgentLimit, heartbeat) = (
      Int(limit), members["heartbeat"]?.integer.map { Duration.seconds($0) }
    )
  }
}

extension KeptPhone {
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "stage": .string(stage.rawValue), "follows": .bool(follows), "proved": .bool(isProved),
      "revision": .integer(Int64(revision)), "repeats": .integer(Int64(repeats)),
      "refusals": .integer(Int64(refusals)), "has_begun": .bool(hasBegun), "again": .bool(isAgain),
    ]
    members["token"] = sight.token.map(JSONValue.string)
    members["retired"] = retiredToken.map(JSONValue.string)
    let times = [
      ("begun", begunAt), ("leaves", leavesAt), ("sent", sentAt), ("retry", retryAt),
      ("flight_sent", flight?.sentAt), ("flight_ends", flight?.endsAt),
    ]
    for (name, time) in times { members[name] = time.map { .integer($0.milliseconds) } }
    members["flight"] = flight.map { .integer(Int64($0.number)) }
    members["flight_event"] = flight.map { .string($0.event.rawValue) }
    return .object(members)
  }

  init?(_ json: JSONValue) {
    let times: Set = ["begun", "leaves", "sent", "retry", "flight", "flight_sent", "flight_ends"]
    let texts: Set = ["token", "retired", "flight_event"]
    let needed: Set = ["stage", "follows", "proved", "revision", "repeats", "refusals"]
    // An earlier version has written neither.
    let added: Set = ["has_begun", "again"]
    guard let members = json.members(among: times.union(texts).union(needed).union(added)),
      added.allSatisfy({ json.mayHave($0, \.bool) }),
      times.allSatisfy({ json.mayHave($0, \.integer) }),
      texts.allSatisfy({ json.mayHave($0, \.string) }),
      let stage = members["stage"]?.string.flatMap(Stage.init(rawValue:)),
      let follows = members["follows"]?.bool, let isProved = members["proved"]?.bool,
      let revision = members["revision"]?.integer, let repeats = members["repeats"]?.integer,
      let refusals = members["refusals"]?.integer
    else { return nil }
    func time(_ name: String) -> Timestamp? {
      members[name]?.integer.map(Timestamp.init(milliseconds:))
    }
    self.init()
    (self.stage, self.follows, self.isProved) = (stage, follows, isProved)
    (self.revision, self.repeats, self.refusals) = (Int(revision), Int(repeats), Int(refusals))
    (begunAt, leavesAt, sentAt, retryAt) = (
      time("begun"), time("leaves"), time("sent"), time("retry")
    )
    (sight.token, retiredToken) = (members["token"]?.string, members["retired"]?.string)
    hasBegun = members["has_begun"]?.bool ?? (stage != .absent || revision > 0)
    isAgain = members["again"]?.bool ?? (revision > 0)
    guard let number = members["flight"]?.integer else { return }
    guard let event = members["flight_event"]?.string.flatMap(ActivityPush.Event.init(rawValue:)),
      let sent = time("flight_sent"), let ends = time("flight_ends")
    else { return nil }
    flight = Flight(number: Int(number), event: event, sentAt: sent, endsAt: ends)
  }
}

extension KeptChannel {
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "stage": .string(stage.rawValue), "revision": .integer(Int64(revision)),
      "repeats": .integer(Int64(repeats)),
      "waiting": waiting.json, "started": started.json, "joined": joined.json, "left": left.json,
    ]
    members["id"] = id.map(JSONValue.string)
    members["sent"] = sentAt.map { .integer($0.milliseconds) }
    members["ended"] = endedAt.map { .integer($0.milliseconds) }
    return .object(members)
  }

  init?(_ json: JSONValue) {
    let names: Set = [
      "stage", "revision", "repeats", "waiting", "started", "joined", "left", "id", "sent",
      "ended",
    ]
    guard let members = json.members(among: names), json.mayHave("id", \.string),
      json.mayHave("joined", DeviceNumbers.init(json:)),
      json.mayHave("left", DeviceNumbers.init(json:)),
      json.mayHave("sent", \.integer), json.mayHave("ended", \.integer),
      let stage = members["stage"]?.string.flatMap(Stage.init(rawValue:)),
      let revision = members["revision"]?.integer, let repeats = members["repeats"]?.integer,
      let waiting = members["waiting"].flatMap(DeviceNumbers.init(json:)),
      let started = members["started"].flatMap(DeviceNumbers.init(json:))
    else { return nil }
    self.init()
    (self.stage, self.revision, self.repeats) = (stage, Int(revision), Int(repeats))
    (id, self.waiting, self.started) = (members["id"]?.string, waiting, started)
    // An earlier version has written neither.
    joined = members["joined"].flatMap(DeviceNumbers.init(json:)) ?? DeviceNumbers()
    left = members["left"].flatMap(DeviceNumbers.init(json:)) ?? DeviceNumbers()
    sentAt = members["sent"]?.integer.map(Timestamp.init(milliseconds:))
    endedAt = members["ended"]?.integer.map(Timestamp.init(milliseconds:))
  }
}

extension DeviceNumbers {
  fileprivate var json: JSONValue { .string(Data(packed).base64EncodedString()) }

  /// Reads ``json``; `nil` if it is damaged.
  fileprivate init?(json: JSONValue) {
    guard let data = json.string.flatMap({ Data(base64Encoded: $0) }) else { return nil }
    self.init(packed: Array(data))
  }
}
