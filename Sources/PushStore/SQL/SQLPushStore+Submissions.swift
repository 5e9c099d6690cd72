import PushPayload

extension SQLPushStore {
  package func submit(
    _ submission: Campaign.Submission?, version: Int, ofCampaign id: String, app: String
  ) async throws(StoreError) {
    try await write { db in
      guard let number = try Self.number(of: app, db) else { throw Self.noApp(app) }
      let changed = try db.run(
        "UPDATE campaigns SET submission = ? WHERE app = ? AND id = ? AND version = ? AND state = ?",
        [
          submission.map { .json($0.json) } ?? .null, .integer(number), .text(id),
          .integer(Int64(version)), .text(CampaignLifecycle.State.draft.rawValue),
        ])
      guard changed > 0 else {
        throw StoreError(
          .conflict, "the campaign \(id) was changed or started meanwhile; read it again")
      }
    }
  }
}

extension Campaign.Submission {
  fileprivate var json: JSONValue {
    [
      "account": .string(account), "name": .string(name), "version": .integer(Int64(version)),
      "at": .integer(at.milliseconds),
    ]
  }

  init?(json: JSONValue) {
    guard let account = json["account"]?.string, let name = json["name"]?.string,
      let version = json["version"]?.integer, let at = json["at"]?.integer
    else { return nil }
    self.init(
      account: account, name: name, version: Int(version), at: Timestamp(milliseconds: at))
  }
}
