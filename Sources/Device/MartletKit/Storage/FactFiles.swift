import Foundation
import PushPayload

/// An event, receipt, mark or tap, with an id by which the server counts it once.
struct StoredFact: Hashable, Sendable, Identifiable {
  let id: String
  /// The fact as the server's API has it, and its owner.
  let json: JSONValue

  private static let ownerMember = "_user"

  /// The user who was signed in when an event happened; empty without one.
  var owner: String { json[Self.ownerMember]?.string ?? "" }

  /// The fact of a user, whose name stays on the device.
  func owned(by user: String) -> StoredFact {
    var members = json.object ?? [:]
    members[Self.ownerMember] = user.isEmpty ? nil : .string(user)
    return StoredFact(id: id, json: .object(members))
  }

  /// The fact as the server gets it.
  var outgoing: JSONValue {
    guard var members = json.object, members[Self.ownerMember] != nil else { return json }
    members[Self.ownerMember] = nil
    return .object(members)
  }
}

/// A folder of facts, each a file, so that a crash loses none and two processes need no lock.
struct FactFiles: Sendable {
  /// The largest fact that is kept, in bytes; a request of 100 then stays below the server's limit of 1 MiB.
  static let maximumBytes = 8 * 1024

  let storage: any DeviceStorage
  let folder: String
  /// The most facts that are kept; beyond it the oldest tenth is removed, so that not every further fact reads all files.
  let limit: Int
  /// The member of a fact with its time.
  let time: String

  func add(_ fact: StoredFact) throws {
    let count = fact.outgoing.serialized().count
    guard count <= Self.maximumBytes else {
      throw PushError(.invalid, "the fact has \(count) bytes; the limit is \(Self.maximumBytes)")
    }
    try storage.write(fact.json.serialized(), to: path(fact.id))
    let names = try names()
    guard names.count > limit else { return }
    for fact in try waiting().dropLast(limit - limit / 10) { try storage.remove(path(fact.id)) }
  }

  /// The facts that can be read, the oldest first.
  func waiting() throws -> [StoredFact] { try read().facts }

  /// The facts, the oldest first, and whether all of them could be read.
  ///
  /// A file that cannot be read stays, as each does before the phone's first unlock; a file that is not a fact is removed.
  func read() throws -> (facts: [StoredFact], isComplete: Bool) {
    var facts: [(time: String, fact: StoredFact)] = []
    var isComplete = true
    for name in try names() {
      let content: Data?
      do {
        content = try storage.read("\(folder)/\(name)")
      } catch {
        isComplete = false
        continue
      }
      // Another process has removed it meanwhile.
      guard let data = content else { continue }
      let json = try? JSONValue(parsing: data)
      if let json, let id = json["id"]?.string, id + Self.suffix == name {
        facts.append((json[time]?.string ?? "", StoredFact(id: id, json: json)))
      } else {
        try storage.remove("\(folder)/\(name)")
      }
    }
    let sorted = facts.sorted { ($0.time, $0.fact.id) < ($1.time, $1.fact.id) }
    return (sorted.map(\.fact), isComplete)
  }

  var isEmpty: Bool { (try? names().isEmpty) ?? true }

  func remove(_ ids: some Sequence<String>) throws {
    for id in ids { try storage.remove(path(id)) }
  }

  func removeAll() throws {
    for name in try names() { try storage.remove("\(folder)/\(name)") }
  }

  private static let suffix = ".json"

  private func names() throws -> [String] {
    try storage.names(in: folder).filter { $0.hasSuffix(Self.suffix) && !$0.hasPrefix(".") }
  }

  private func path(_ id: String) -> String { "\(folder)/\(id)\(Self.suffix)" }
}
