import Foundation
import PushPayload

/// Chooses the next request and applies each answer: everything that is done with the files between two requests.
struct Outbox: Sendable {
  let files: DeviceFiles
  let requests: RequestBuilder
  let sender: Sender
  let environment: PushEnvironment
  let inbox: InboxBoard

  /// A request, with the update and the facts that it sends.
  struct Delivery: Sendable {
    var kind: RetryTable.Kind
    var request: PushRequest
    var update: DeviceUpdate?
    var facts = OutgoingFacts()
    /// Whether the server knows the device.
    var isRegistered = true

    /// The number of parts that a narrower request could leave out.
    var count: Int { update?.members.count ?? facts[kind].count }
  }

  enum Step: Sendable {
    case send(Delivery)
    /// Another process waits for an answer, at most until then.
    case wait(until: Int64)
    case done(PushStatus.State)
  }

  /// The next request: everything in one or, after the server refused that, each part alone.
  ///
  /// When parts are sent alone, receipts go first: the server counts a tap and an opening of the app within a minute as one
  /// opening. A device that the server does not know must be registered before.
  func next(limits: [RetryTable.Kind: Int], isDivided: Bool) throws -> Step {
    func limit(_ kind: RetryTable.Kind) -> Int {
      min(limits[kind] ?? .max, RetryTable.limit(of: kind))
    }
    guard let record = try files.record() else { return .done(.off) }
    switch record.phase {
    case .erased:
      try files.removeAll()
      return .done(.erased)
    case .erasing:
      try files.removeAll()
      return .send(
        Delivery(
          kind: .erase, request: requests.erase(record), isRegistered: record.isRegistered))
    case .stopped: break
    case .active where !isDivided: return try nextSync(for: record)
    case .active:
      if record.isRegistered {
        for (kind, facts) in [
          (.receipts, try ownReceipts(of: record)), (.marks, try marks(of: record)),
          (.events, try events(of: record).leaving),
        ]
          as [(RetryTable.Kind, [StoredFact])] where !facts.isEmpty
        {
          return .send(delivery(of: kind, Array(facts.prefix(limit(kind))), for: record))
        }
      }
    }
    if record.needsUpdate { return try beginUpdate(atMost: limit(.update)) }
    guard record.phase == .active else { return try beginToken() ?? .done(.stopped) }
    let events = try events(of: record).present.prefix(limit(.events))
    if events.isEmpty { return try beginToken() ?? .done(.upToDate) }
    return .send(delivery(of: .events, Array(events), for: record))
  }

  /// Everything that waits, in one request.
  private func nextSync(for record: DeviceRecord) throws -> Step {
    var facts = OutgoingFacts()
    facts.add(try ownReceipts(of: record), of: .receipts)
    facts.add(try marks(of: record), of: .marks)
    let events = try events(of: record)
    func delivery(_ update: DeviceUpdate?, _ record: DeviceRecord) -> Step {
      let request = requests.sync(update, facts, for: record)
      return .send(Delivery(kind: .sync, request: request, update: update, facts: facts))
    }
    guard events.leaving.isEmpty else {
      facts.add(events.leaving, of: .events)
      return delivery(nil, record)
    }
    let withoutEvents = facts
    facts.add(events.present, of: .events)
    guard record.needsUpdate else {
      return facts.isEmpty ? try beginToken() ?? .done(.upToDate) : delivery(nil, record)
    }
    let update = try beginUpdate(atMost: .max)
    switch update {
    case .send(let alone):
      guard let record = try files.record() else { return update }
      return delivery(alone.update, record)
    // The facts need not wait for another process's update, but for events if that brings their user.
    case .wait where record.isRegistered:
      if record.difference[MemberKey.userID] != nil { facts = withoutEvents }
      return facts.isEmpty ? update : delivery(nil, record)
    case .wait, .done: return update
    }
  }

  private func delivery(
    of kind: RetryTable.Kind, _ facts: [StoredFact], for record: DeviceRecord
  ) -> Delivery {
    var outgoing = OutgoingFacts()
    outgoing.add(facts, of: kind)
    let request =
      kind == .marks
      ? requests.sync(nil, outgoing, for: record)
      : requests.facts(outgoing[kind], of: kind, for: record)
    return Delivery(kind: kind, request: request, facts: outgoing)
  }

  /// The marks in the inbox of the server's present user; marks in another inbox are removed once the user is certain.
  private func marks(of record: DeviceRecord) throws -> [StoredFact] {
    guard record.isRegistered, !record.doubtful.contains(MemberKey.userID) else { return [] }
    var own: [StoredFact] = []
    for fact in try files.marks.waiting() {
      if InboxMark(fact)?.owner == record.knownUser {
        own.append(fact)
      } else if record.inboxOwner != nil {
        try files.marks.remove([fact.id])
      }
    }
    return own
  }

  /// The events of the user whom the next update takes the device from, which go before it, and those of the present user,
  /// which go after it.
  ///
  /// An event belongs to the user who was signed in when it happened. Those of a user of whom the server knows nothing are
  /// sent while nobody is signed in, as events of the device, and removed when somebody else is.
  private func events(
    of record: DeviceRecord
  ) throws -> (leaving: [StoredFact], present: [StoredFact]) {
    var (leaving, present): ([StoredFact], [StoredFact]) = ([], [])
    for event in try files.events.waiting() {
      switch event.owner {
      case "", record.wantedUser: present.append(event)
      case let owner where owner == record.leavingUser: leaving.append(event)
      case _ where record.wantedUser.isEmpty: present.append(event)
      default: try files.events.remove([event.id])
      }
    }
    return (leaving, present)
  }

  /// The receipts of this device; those of an earlier id are removed, because their secret no longer exists.
  private func ownReceipts(of record: DeviceRecord) throws -> [StoredFact] {
    var own: [StoredFact] = []
    for receipt in try files.receipts.waiting() {
      if receipt.json["device_id"]?.string == record.id {
        own.append(receipt)
      } else {
        try files.receipts.remove([receipt.id])
      }
    }
    return own
  }

  private func beginUpdate(atMost limit: Int) throws -> Step {
    let now = environment.now()
    return try files.change { record in
      guard var changed = record else { return .done(.off) }
      if let end = changed.waitForFlight(of: sender, at: now) { return .wait(until: end) }
      let id = environment.randomID()
      guard let update = changed.begin(flight: id, by: sender, at: now, atMost: limit) else {
        return .done(.upToDate)
      }
      record = changed
      return .send(
        Delivery(kind: .update, request: requests.update(update, changed), update: update))
    }
  }

  /// The next token that a request of its own sends, once the server knows the device; `nil` if none must be sent.
  private func beginToken() throws -> Step? {
    let now = environment.now()
    return try files.change { record in
      guard var changed = record, changed.isRegistered else { return nil }
      guard changed.difference.keys.contains(where: { TokenKey($0) != nil }) else { return nil }
      if let end = changed.waitForFlight(of: sender, at: now) { return .wait(until: end) }
      let id = environment.randomID()
      guard let update = changed.beginToken(flight: id, by: sender, at: now),
        let member = update.members.first, let key = TokenKey(member.key)
      else { return nil }
      record = changed
      let isRemoval = member.value.isNull
      let request = requests.token(key, isRemoval ? nil : member.value, for: changed)
      return .send(
        Delivery(kind: isRemoval ? .tokenRemoval : .token, request: request, update: update))
    }
  }

  /// A request without any part, whose answer says whether the server knows the device.
  func question() throws -> Step {
    guard let record = try files.record() else { return .done(.off) }
    return .send(
      Delivery(kind: .sync, request: requests.sync(nil, OutgoingFacts(), for: record)))
  }

  /// The consequence of an answer.
  enum Consequence: Equatable, Sendable {
    /// The server has stored everything except the facts of these problems.
    case accepted([PushStatus.Problem])
    /// The same content is sent again, each part alone.
    case divide
    /// The same kind of request is sent again, with at most this number of parts.
    case narrow(Int)
    /// The one thing in the request was dropped.
    case dropped(PushStatus.Problem)
    case registerAgain
    /// The same is sent again if the server knows the device; the state is that of a second refusal.
    case ask(PushStatus.State)
    case retry(afterSeconds: Int?)
    case ended(PushStatus.State)
  }

  /// Applies the answer to a request.
  func apply(_ answer: Result<PushResponse, PushTransportError>, to delivery: Delivery) throws
    -> Consequence
  {
    let response = try? answer.get()
    switch RetryTable.verdict(response, for: delivery.kind) {
    // A device whose registration never arrived: the server does not say whether a device exists.
    case .refused
    where response?.status == 403 && !delivery.isRegistered && Self.error(in: response) != nil:
      return try accept(response, delivery)
    case .accepted: return try accept(response, delivery)
    case .erased:
      try files.change { record in
        guard let id = record?.id else { return }
        var erased = DeviceRecord(id: id, secret: "erased")
        erased.phase = .erased
        record = erased
      }
      try files.removeAll()
      inbox.forget()
      return .ended(.erased)
    case .halve where delivery.kind == .sync:
      try fail(delivery, answer)
      return .divide
    case .halve where delivery.count > 1:
      try fail(delivery, answer)
      return .narrow(delivery.count / 2)
    case .halve where delivery.count == 1: return try drop(response, delivery)
    // A request that describes the device makes it, so this answer is not one of the server's.
    case .unknownDevice
    where delivery.update != nil && ![.token, .tokenRemoval].contains(delivery.kind):
      try fail(delivery, answer)
      return .ended(.refused(status: response?.status ?? 0, reason: Self.reason(response)))
    case .halve, .refused:
      try fail(delivery, answer)
      return .ended(.refused(status: response?.status ?? 0, reason: Self.reason(response)))
    case .unknownDevice:
      try fail(delivery, answer)
      try files.change { $0?.forgetConfirmed() }
      return .registerAgain
    case .ask:
      try fail(delivery, answer)
      return .ask(.refused(status: response?.status ?? 0, reason: Self.reason(response)))
    case .later:
      try fail(delivery, answer)
      return .retry(afterSeconds: response?.retryAfter.flatMap { Int($0) })
    }
  }

  private func accept(_ response: PushResponse?, _ delivery: Delivery) throws -> Consequence {
    if delivery.kind == .erase {
      try files.change { $0 = nil }
      return .ended(.erased)
    }
    let json = Self.json(response)
    let dropped = Self.dropped(json)
    if let update = delivery.update {
      try files.change { $0?.confirm(update, dropped: dropped) }
    }
    for kind in delivery.facts.kinds {
      try facts(of: kind)?.remove(delivery.facts[kind].map(\.id))
    }
    // The answer to a part alone has no count.
    if let unread = json?["unread"]?.integer, let owner = try files.record()?.inboxOwner {
      inbox.count(Int(clamping: unread), of: owner)
    }
    return .accepted(dropped.compactMap { delivery.facts.problem(at: $0.path, $0.reason) })
  }

  private func drop(_ response: PushResponse?, _ delivery: Delivery) throws -> Consequence {
    let reason = Self.reason(response)
    if let update = delivery.update {
      let key = update.members.keys.first ?? ""
      let isStopped = try files.change { record in
        record?.refuse(key, of: update, reason)
        return record?.phase == .stopped
      }
      // The withdrawal of a token is never dropped, so it would be sent again at once.
      if isStopped { return .ended(.refused(status: response?.status ?? 0, reason: reason)) }
      return .dropped(PushStatus.Problem(path: MemberKey.path(of: key), reason: reason))
    }
    guard let fact = delivery.facts[delivery.kind].first else { return .accepted([]) }
    try facts(of: delivery.kind)?.remove([fact.id])
    return .dropped(fact.problem(as: delivery.kind, reason))
  }

  private func facts(of kind: RetryTable.Kind) -> FactFiles? {
    switch kind {
    case .receipts: files.receipts
    case .events: files.events
    case .marks: files.marks
    case .sync, .update, .token, .tokenRemoval, .erase: nil
    }
  }

  private func fail(
    _ delivery: Delivery, _ answer: Result<PushResponse, PushTransportError>
  ) throws {
    guard let update = delivery.update else { return }
    let isUnread =
      switch answer {
      // An answer of 5xx may come from a proxy that did not wait for the server's.
      case .success(let response): (300..<500).contains(response.status)
      case .failure(let error): error.isUnsent
      }
    try files.change { $0?.fail(update, isUnread: isUnread) }
  }

  private static func json(_ response: PushResponse?) -> JSONValue? {
    response.flatMap { try? JSONValue(parsing: $0.body) }
  }

  private static func dropped(_ json: JSONValue?) -> [(path: String, reason: String)] {
    (json?["dropped"]?.array ?? []).compactMap { member in
      guard let path = member["path"]?.string else { return nil }
      return (path, member["reason"]?.string ?? "is not stored")
    }
  }

  /// The error that an answer of the server names; `nil` in an answer of a proxy.
  private static func error(in response: PushResponse?) -> String? {
    json(response)?["error"]?.string
  }

  /// The reason that an answer gives.
  private static func reason(_ response: PushResponse?) -> String {
    error(in: response) ?? "the server answered with status \(response?.status ?? 0)"
  }
}
