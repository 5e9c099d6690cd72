import PushModel
import PushPayload
import _Bitmaps

/// Values that devices have in a field, each with the number of the devices that have the app.
struct FieldValues: Sendable {
  var values: [(text: String, devices: Int)] = []
  /// Whether these are all values with the text that was looked for.
  var isWhole = true
}

extension ShardedIndex {
  /// The number of values that are counted at once, since values of a batch share work.
  private static let batchSize = 32

  /// Returns values that devices have in a field of texts or versions, those with a text in them.
  ///
  /// Texts are in the order of the alphabet, versions the last one first.
  func values(of field: Filter.Field, containing text: String, limit: Int) -> FieldValues {
    let wanted = text.lowercased()
    func isWanted(_ lowercased: String) -> Bool { wanted.isEmpty || lowercased.contains(wanted) }
    var found: FieldValues
    if field.kind == .version {
      let candidates = versions(of: field).map { (key: $0, text: $0.text) }
        .filter { isWanted($0.text.lowercased()) }
      found = values(candidates, limit: limit) { versions, index in
        index.versions[field]?.devices(withEach: versions, among: index.installed)
      }
    } else {
      let candidates = texts(of: field.indexed).filter { isWanted($0.lowercased) }
        .map { (key: $0.hash, text: $0.text) }
      found = values(candidates, limit: limit) { texts, index in
        index.texts[field.indexed]?.devices(withEach: texts, among: index.installed)
      }
    }
    if shards.contains(where: { $0.index.knownTexts.isFull(field.indexed) }) {
      found.isWhole = false
    }
    return found
  }

  /// Counts the first of the candidates that devices have, up to a limit.
  private func values<Key: Hashable>(
    _ candidates: [(key: Key, text: String)], limit: Int,
    devices: ([Key], AudienceIndex) -> [Key: Bitmap]?
  ) -> FieldValues {
    var found = FieldValues()
    for start in stride(from: 0, to: candidates.count, by: Self.batchSize) {
      let batch = candidates[start...].prefix(Self.batchSize)
      let counts = shards.reduce(into: [Key: Int]()) { counts, shard in
        for (key, devices) in devices(batch.map(\.key), shard.index) ?? [:] {
          counts[key, default: 0] += devices.count
        }
      }
      for candidate in batch {
        guard let count = counts[candidate.key] else { continue }
        guard found.values.count < limit else {
          found.isWhole = false
          return found
        }
        found.values.append((candidate.text, count))
      }
    }
    return found
  }

  /// The versions that devices have or had, the last one first.
  private func versions(of field: Filter.Field) -> [Version] {
    shards.reduce(into: Set<Version>()) { $0.formUnion($1.index.versions[field]?.known ?? []) }
      .sorted(by: >)
  }

  /// The texts that devices have or had, in the order of the alphabet.
  private func texts(of field: Filter.Field) -> [KnownTexts.Text] {
    let parts = shards.map { $0.index.knownTexts.byField[field] ?? [] }
    guard parts.count > 1 else { return parts.first ?? [] }
    var seen: Set<TextHash> = []
    return parts.joined().filter { seen.insert($0.hash).inserted }.sorted()
  }
}
