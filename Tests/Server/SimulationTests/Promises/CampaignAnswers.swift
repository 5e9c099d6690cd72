import PushModel
import PushPayload

@testable import PushServer

extension FinalAnswers {
  /// What the server says of a campaign.
  struct Campaign: Sendable {
    var state = "not found"
    var runs: [Run] = []

    /// The notifications of all runs.
    var sends: [RunSend] { runs.flatMap(\.sends) }
  }

  /// A run, with the devices that it has counted in each group.
  struct Run: Sendable {
    var number: Int
    var state: RunLifecycle.State
    var reason: String?
    var selected: Int
    /// The numbers of devices of the groups when the run was reported.
    var counts: [CampaignRun.Group: Int]
    /// Whether a test was decided.
    var isDecided: Bool
    var groups: [CampaignRun.Group: Set<String>] = [:]
    var sends: [RunSend] = []

    init(_ run: CampaignRun) {
      let report = RunReport(run.report)
      (number, state, reason) = (run.number, run.state, run.reason)
      (selected, counts, isDecided) = (report.selected, report.groups, report.decision != nil)
    }

    /// The run in the journal.
    var summary: String {
      let groups = groups.filter { !$0.value.isEmpty }.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { "\($0.key.rawValue) \($0.value.sorted().joined(separator: " "))" }
      return (["\(number) \(state.rawValue) of \(selected)"] + groups).joined(separator: ", ")
        + (reason.map { " because \($0)" } ?? "")
    }
  }

  /// A notification of a run.
  struct RunSend: Sendable {
    var record: SendRecord
    var answer: Send
    var variant: String
    var phase: CampaignRun.Phase
    var createdAt: Timestamp
  }
}
