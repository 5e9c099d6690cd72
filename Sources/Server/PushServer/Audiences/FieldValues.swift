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
  /// Returns values that devices have in a field of texts or versions, those with a text in them.
  ///
  /// Texts are in the order of the alphabet, versions the last one first. Each value takes one look at the index, so
  /// `limit` bounds the time.
  func values(
    of field: Filter.Field, containing text: String, limit: Int, at now: Timestamp
  ) -> FieldValues {
    var found = FieldValues()
    let wanted = text.lowercased()
    for candidate in candidates(of: field)
    where wanted.isEmpty || candidate.lowercased().contains(wanted) {
      let filter = Filter(field: field, criteria: [.equals(.string(candidate))])
      let devices = shards.reduce(0) {
        $0 + $1.index.devices(passing: [filter], at: now, among: $1.index.installed).count
      }
      guard devices > 0 else { continue }
      guard found.values.count < limit else {
        found.isWhole = false
        return found
      }
      found.values.append((candidate, devices))
    }
    found.isWhole = !shards.contains { $0.index.knownTexts.isFull(field.indexed) }
    return found
  }

  private func candidates(of field: Filter.Field) -> [String] {
    guard field.kind != .version else {
      let known = shards.reduce(into: Set<Version>()) {
        $0.formUnion($1.index.versions[field]?.known ?? [])
      }
      return known.sorted(by: >).map(\.text)
    }
    let known = shards.reduce(into: [TextHash: String]()) {
      $0.merge($1.index.knownTexts.byField[field.indexed] ?? [:]) { first, _ in first }
    }
    return known.values.map { ($0.lowercased(), $0) }.sorted { $0 < $1 }.map(\.1)
  }
}
