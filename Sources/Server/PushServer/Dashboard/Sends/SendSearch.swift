import PushModel

extension ListSearch {
  /// The search of the list of sends.
  static func sends(_ request: PageRequest) -> ListSearch {
    ListSearch(
      request, at: request.path(.sends), label: "Name, label, title or text",
      choices: [
        Choice(name: "state", title: "Status", any: "Any status", of: Send.State.self), .triggered,
        .order(("", "Newest first"), ("oldest", "Oldest first"), ("next", "Goes out next")), .label,
      ])
  }

  /// Whether the list has the sends of triggered campaigns.
  ///
  /// These are so many that they are not folded.
  var hasTriggered: Bool { !self["triggered"].isEmpty }
}

extension SendQuery {
  /// The query of a search of the list of sends.
  init(_ search: ListSearch) {
    self.init(
      search.text, label: search["label"].isEmpty ? nil : search["label"],
      state: Send.State(rawValue: search["state"]))
    order = Order(rawValue: search["sort"]) ?? .newest
    leavesOutTriggered = !search.hasTriggered
    foldsRuns = !search.hasTriggered
  }
}
