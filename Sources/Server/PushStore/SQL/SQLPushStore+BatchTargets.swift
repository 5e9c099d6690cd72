import PushModel
import PushPayload

extension SQLPushStore {
  /// The app and the targets of a leased batch; `nil` if the app was deleted.
  func targets(
    of lease: Lease
  ) async throws(StoreError) -> (app: App, targets: [Batch.Target])? {
    try await read { db in
      let (send, numbers, retries) = (lease.send, lease.devices, lease.retries)
      try db.fetchAhead(App.query(forApp: send.app))
      var (targets, found) = try Self.reading(.send(lease.key)) {
        let targets =
          if let activity = send.activity {
            try Self.targets(numbers, of: activity, app: lease.appNumber, db)
          } else {
            try Self.targets(numbers, app: lease.appNumber, db)
          }
        let found = try db.row(App.query(forApp: send.app)) { row in
          (app: try App(row: &row), number: try row.integer("number"))
        }
        return (targets, found)
      }
      // A deleted app's number may belong to another app now.
      guard let found, found.number == lease.appNumber else { return nil }
      if !retries.isEmpty {
        for place in targets.indices {
          guard let retry = retries.retry(of: targets[place].number) else { continue }
          targets[place].attempts = retry.attempts
          targets[place].isKeyRefused = retry.isKeyRefused
        }
      }
      return (found.app, targets)
    }
  }

  static func targets(
    _ numbers: DeviceNumbers, app: Int64, _ db: any SQLConnection
  ) throws -> [Batch.Target] {
    let found = try rows(
      of: numbers, app: app,
      columns: """
        key, id, token, development,
        uninstalled_at IS NULL AND push_enabled AS is_reachable,
        public_key IS NOT NULL AND auth_secret IS NOT NULL AS has_keys
        """, db
    ) { row in
      var target = Batch.Target(
        number: DeviceKeys.number(of: try row.integer("key")), id: try row.text("id"),
        token: try row.optionalText("token"), isDevelopment: try row.bool("development"))
      if try !row.bool("is_reachable") { target.token = nil }
      target.hasKeys = try row.bool("has_keys")
      return target
    }
    return complete(found, numbers)
  }

  /// Adds a target without a token for each number that has no device.
  static func complete(_ found: [Batch.Target], _ numbers: DeviceNumbers) -> [Batch.Target] {
    guard found.count < numbers.count else { return found }
    var byNumber: [UInt32: Batch.Target] = [:]
    for target in found { byNumber[target.number] = target }
    return numbers.map { number in
      byNumber[number] ?? Batch.Target(number: number, id: "", token: nil, isDevelopment: false)
    }
  }
}
