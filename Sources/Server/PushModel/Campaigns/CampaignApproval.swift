package import PushPayload

/// The submission of a campaign's version for approval, and the decision.
///
/// Each version needs its own submission, so an edit ends an approval.
package struct CampaignApproval: Hashable, Sendable {
  package enum State: String, CaseIterable, Sendable { case submitted, approved, rejected }

  /// A submission, approval or rejection of a campaign.
  package struct Event: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case submit, approve
      /// Rejects the campaign, with a reason for the author.
      case reject(note: String?)
    }

    package var kind: Kind
    /// The version that the actor has seen; `nil` for the stored version, whatever it is.
    package var version: Int?
    /// The id of the key or the person that acts.
    package var actor: String
    package var at: Timestamp

    package init(_ kind: Kind, version: Int?, by actor: String, at time: Timestamp) {
      (self.kind, self.version, self.actor, at) = (kind, version, actor, time)
    }
  }

  package var state: State
  /// The version of the campaign's document.
  package var version: Int
  package var submittedBy: String
  package var submittedAt: Timestamp
  package var decidedBy: String?
  package var decidedAt: Timestamp?
  package var note: String?

  /// The approval of a campaign after an event.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if the campaign is not a draft, has a different version, or was not
  ///   submitted; ``StoreError/Code/forbidden`` if the actor would approve its own submission.
  package static func after(
    _ event: Event, of campaign: Campaign
  ) throws(StoreError) -> CampaignApproval {
    guard campaign.state == .draft else {
      throw StoreError(
        .conflict,
        "the campaign \(campaign.id) is \(campaign.state.rawValue), and only a draft is approved")
    }
    guard (event.version ?? campaign.version) == campaign.version else {
      throw StoreError(
        .conflict,
        "the campaign \(campaign.id) was changed: its version is \(campaign.version); read it again"
      )
    }
    let known = campaign.approval.flatMap { $0.version == campaign.version ? $0 : nil }
    switch event.kind {
    case .submit:
      if let known, known.state != .rejected { return known }
      return CampaignApproval(
        state: .submitted, version: campaign.version, submittedBy: event.actor,
        submittedAt: event.at)
    case .approve:
      guard let known, known.state != .rejected else { throw notSubmitted(campaign) }
      guard known.state == .submitted else { return known }
      guard known.submittedBy != event.actor else {
        throw StoreError(
          .forbidden,
          "\(event.actor) has submitted the campaign; another key or person must approve it")
      }
      return known.decided(.approved, event)
    case .reject(let note):
      guard let known else { throw notSubmitted(campaign) }
      guard known.state != .rejected else { return known }
      var rejected = known.decided(.rejected, event)
      rejected.note = note
      return rejected
    }
  }

  private static func notSubmitted(_ campaign: Campaign) -> StoreError {
    StoreError(
      .conflict,
      "version \(campaign.version) of the campaign \(campaign.id) was not submitted; submit it first"
    )
  }

  private func decided(_ state: State, _ event: Event) -> CampaignApproval {
    var approval = self
    (approval.state, approval.decidedBy, approval.decidedAt) = (state, event.actor, event.at)
    return approval
  }
}

extension Campaign {
  /// Whether the version that would start now was approved.
  package var isApproved: Bool {
    approval.map { $0.state == .approved && $0.version == version } ?? false
  }
}

extension CampaignApproval {
  /// The approval as it is stored.
  package var stored: JSONValue {
    [
      "state": .string(state.rawValue), "version": .integer(Int64(version)),
      "submitted_by": .string(submittedBy), "submitted_at": .integer(submittedAt.milliseconds),
      "decided_by": decidedBy.map(JSONValue.string) ?? .null,
      "note": note.map(JSONValue.string) ?? .null,
      "decided_at": decidedAt.map { .integer($0.milliseconds) } ?? .null,
    ]
  }

  /// Parses ``stored``; `nil` if the value is malformed.
  package init?(stored json: JSONValue) {
    let names: Set = [
      "state", "version", "submitted_by", "submitted_at", "decided_by", "note", "decided_at",
    ]
    guard json.members(among: names) != nil, json.mayHave("decided_by", \.string),
      json.mayHave("note", \.string), json.mayHave("decided_at", \.integer),
      let state = json["state"]?.string.flatMap(State.init),
      let version = json["version"]?.integer, let submittedBy = json["submitted_by"]?.string,
      let submittedAt = json["submitted_at"]?.integer
    else { return nil }
    self.init(
      state: state, version: Int(version), submittedBy: submittedBy,
      submittedAt: Timestamp(milliseconds: submittedAt), decidedBy: json["decided_by"]?.string,
      decidedAt: json["decided_at"]?.integer.map { Timestamp(milliseconds: $0) },
      note: json["note"]?.string)
  }
}
