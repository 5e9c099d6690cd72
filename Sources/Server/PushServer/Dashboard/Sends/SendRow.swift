import PushModel

/// A row of the list of sends: one send, or the sends of a campaign's run.
struct SendRow: Sendable {
  /// The send that stands for the row; of a run, the one that was accepted last.
  var lead: Send
  /// The sends of the row, in the order in which they were accepted.
  var sends: [Send]
  /// The campaign of the sends; `nil` if they are of none.
  var campaign: Campaign?

  /// The rows of a page, with the sends of each run that the page has one of.
  static func rows(of page: [Send], isFolded: Bool, _ request: PageRequest) async throws
    -> [SendRow]
  {
    guard isFolded else { return page.map { SendRow(lead: $0, sends: [$0]) } }
    let (store, app) = (request.router.store, request.app.id)
    let origins = page.compactMap(\.origin)
    let runs = Dictionary(
      grouping: try await store.sends(ofRuns: Array(Set(origins.map(\.run))), app: app),
      by: { $0.origin?.run })
    let named = try await store.campaigns(Array(Set(origins.map(\.campaign))), app: app)
    let campaigns = Dictionary(named.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    return page.map { send in
      guard let origin = send.origin else { return SendRow(lead: send, sends: [send]) }
      return SendRow(
        lead: send, sends: runs[origin.run] ?? [send], campaign: campaigns[origin.campaign])
    }
  }

  /// The sums over the sends.
  var counts: Send.Counts {
    sends.reduce(into: Send.Counts()) { sum, send in
      sum.targeted += send.counts.targeted
      sum.sent += send.counts.sent
      sum.rejected += send.counts.rejected
      sum.uninstalled += send.counts.uninstalled
      sum.opened += send.counts.opened
    }
  }

  /// The send whose state is that of the row: one that goes on, or else the lead.
  var current: Send { sends.last { !$0.state.isOver } ?? lead }
}
