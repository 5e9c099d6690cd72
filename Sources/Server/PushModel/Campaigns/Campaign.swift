package import PushPayload

/// Messages to an audience, in variants; each occurrence is a ``CampaignRun``.
package struct Campaign: Hashable, Sendable {
  /// The occasions on which a campaign runs.
  package enum Kind: String, CaseIterable, Sendable {
    case once
    /// On the days of a schedule. Each day is a run.
    case recurring
    /// For each person, after an event or a change of audience. Each step is a run.
    case triggered
  }

  package var id: String
  package var app: String
  package var name: String
  package var labels: [String] = []
  package var kind = Kind.once
  package var state = CampaignLifecycle.State.draft
  /// The version of the document, which rises with each change.
  package var version = 1
  /// The audience, variants and schedule as the client wrote them.
  package var document: JSONValue
  /// The submission and approval of a version; `nil` if no version was submitted.
  package var approval: CampaignApproval?
  package var createdAt: Timestamp
  package var updatedAt: Timestamp

  package init(id: String, app: String, name: String, document: JSONValue, createdAt: Timestamp) {
    self.id = id
    self.app = app
    self.name = name
    self.document = document
    self.createdAt = createdAt
    updatedAt = createdAt
  }
}

/// The state machine of a campaign.
package struct CampaignLifecycle: Hashable, Sendable {
  package enum State: String, CaseIterable, Sendable {
    case draft, live, paused, ended, discarded

    /// Whether the campaign has ended or was discarded.
    package var isOver: Bool { self == .ended || self == .discarded }
  }

  /// An event that the state machine of a campaign handles.
  package enum Event: Hashable, Sendable {
    case start, pause, resume, end, discard
    /// The campaign's last run has settled.
    case finished
  }

  /// The store's next action on the campaign's runs and their sends.
  package enum Action: Hashable, Sendable {
    case none, plan, pause, resume, cancel
    /// The state forbids the event, so nothing changes.
    case refuse
  }

  package var state: State

  package init(state: State) { self.state = state }

  package mutating func on(_ event: Event) -> Action {
    switch (event, state) {
    case (.start, .draft):
      state = .live
      return .plan
    case (.pause, .live):
      state = .paused
      return .pause
    case (.resume, .paused):
      state = .live
      return .resume
    case (.end, .live), (.end, .paused):
      state = .ended
      return .cancel
    case (.discard, .draft):
      state = .discarded
      return .none
    case (.finished, .live), (.finished, .paused):
      state = .ended
      return .none
    case (.start, .live), (.pause, .paused), (.resume, .live), (.end, .ended),
      (.discard, .discarded), (.finished, .ended):
      return .none
    default: return .refuse
    }
  }
}

extension CampaignLifecycle {
  /// An explanation of why the state forbids an event, and a remedy.
  package func refusal(of event: Event) -> String {
    let done =
      switch event {
      case .start: "started"
      case .pause: "paused"
      case .resume: "resumed"
      case .end, .finished: "ended"
      case .discard: "discarded"
      }
    let advice =
      switch state {
      case .draft: "start it first, or discard it"
      case .live: "pause it or end it"
      case .paused: "resume it or end it"
      case .ended, .discarded: "duplicate it, and start the duplicate"
      }
    let now = state == .draft ? "a draft" : state.rawValue
    return "is \(now) and cannot be \(done); \(advice)"
  }
}
