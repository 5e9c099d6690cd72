import Foundation
import PushPayload

/// An event, receipt, mark or tap, with an id by which the server counts it once.
struct StoredFact: Hashable, Sendable, Identifiable {
  let id: String
  /// The fact as the server's API has it.
  let json: JSONValue
}

/// A folder of facts, each a file, so that a crash loses none and two processes need no lock.
struct FactFiles: Sendable {
  /// The largest fact that is kept, in bytes; a request of 100 then stays below the server's limit of 1 MiB.
  static let maximumBytes = 8 * 1024

  let storage: any DeviceStorage
  let folder: String
  /// The most facts that are kept; beyond it the oldest are removed.
  let limit: Int
  /// The member of a fact with its time.
  let time: String

  func add(_ fact: StoredFact) throws {
    let data = fact.json.serialized()
    guard data.count <= Self.maximumBytes else {
      throw PushError(
        .invalid, "the fact has \(data.count) bytes; the limit is \(Self.maximumBytes)")
    }
    try storage.write(data, to: path(fact.id))
    let names = try names()
    guard names.count > limit else { return }
    for fact in try waiting().dropLast(limit) { try storage.remove(path(fact.id)) }
  }

  /// The facts, the oldest first.
  ///
  /// A file that cannot be read stays; a file that is not a fact is removed.
  func waiting() throws -> [StoredFact] {
    var facts: [(time: String, fact: StoredFact)] = []
    for name in try names() {
      guard let data = (try? storage.read("\(folder)/\(name)")) ?? nil else { continue }
      let json = try? JSONValue(parsing: data)
      if let json, let id = json["id"]?.string, id + Self.suffix == name {
        facts.append((json[time]?.string ?? "", StoredFact(id: id, json: json)))
      } else {
        try storage.remove("\(folder)/\(name)")
      }
    }
    return facts.sorted { ($0.time, $0.fact.id) < ($1.time, $1.fact.id) }.map(\.fact)
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
