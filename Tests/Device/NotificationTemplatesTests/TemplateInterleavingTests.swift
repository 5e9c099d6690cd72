import NotificationTemplates
import PushPayload
import Testing

/// Every order of events, up to a length, for each kind of template.
@Suite("Every order of what a person and the system do", .timeLimit(.minutes(30)))
struct TemplateInterleavingTests {
  private static let media: JSONValue = ["id": "m", "url": "https://a.example/m.png"]
  private static let pages: JSONValue = .array(
    (0..<3).map { ["id": .string("\($0)"), "media": ["id": .string("m\($0)"), "url": "u"]] })
  private static let actions: JSONValue = [
    ["id": "next", "effect": "next"], ["id": "open", "effect": "open", "link": "a://b"],
    ["id": "choose", "effect": "choose"], ["id": "submit", "effect": "submit"],
  ]

  private static let templates: [[String: JSONValue]] = [
    ["kind": "text"], ["kind": "banner", "media": media],
    ["kind": "carousel", "pages": pages, "advance": 1],
    ["kind": "carousel", "pages": pages, "advance": 1, "wraps": false],
    ["kind": "timer", "end": 1002],
    ["kind": "rating", "scale": 2, "links": ["a://1"], "commit": "tap"],
    ["kind": "rating", "scale": 2, "commit": "submit", "submit": ["link": "a://s"]],
    ["kind": "catalog", "pages": pages, "link": "a://c"], ["kind": "icons", "pages": pages],
    ["kind": "actions", "media": media],
    ["kind": "media", "media": ["url": "https://a.example/m.mp4"]],
    ["kind": "web", "url": "https://a.example/"], ["kind": "input"],
    [
      "kind": "poll", "prompt": "?",
      "choices": [["id": "choose", "title": "a"], ["id": "b", "title": "b"]],
    ],
  ]

  /// What the view knows of its commands.
  private struct World: Hashable {
    var interaction: TemplateInteraction
    var time = 1000.0
    /// The actions that wait for their answer.
    var unanswered: Set<Int> = []
    var count = 0
    var isOpening = false
    var isPlaying = false
    var isScheduled: Set<TemplateInteraction.Schedule> = []
    var answersGiven = 0
    var faults: [String] = []

    mutating func take(_ event: TemplateInteraction.Event) {
      switch event {
      case .didOpen, .appeared: isOpening = false
      default: break
      }
      if case .fired(let schedule) = event { isScheduled.remove(schedule) }
      if case .action(_, _, let number) = event { unanswered.insert(number) }
      if case .playbackStopped = event { isPlaying = false }
      time += 0.5
      for command in interaction.on(event, at: time) { check(command) }
      let pages = max(1, interaction.template.pages.count)
      if !(0..<pages).contains(interaction.state.page) { faults.append("a page that is none") }
      if !interaction.isVisible {
        if !isScheduled.isEmpty { faults.append("a schedule without a view") }
        if isPlaying { faults.append("media without a view") }
        if !unanswered.isEmpty { faults.append("an action without an answer") }
      }
      if !isOpening, !unanswered.isEmpty { faults.append("an action that waits for nothing") }
      if answersGiven > 1 { faults.append("two answers of a person to one notification") }
    }

    private mutating func check(_ command: TemplateInteraction.Command) {
      switch command {
      case .answer(let number, _):
        if unanswered.remove(number) == nil { faults.append("a second answer") }
      case .open:
        if isOpening { faults.append("two links at once") }
        isOpening = true
      case .schedule(let schedule, let date):
        isScheduled.insert(schedule)
        if date <= time { faults.append("a schedule that is due at once, and never ends") }
      case .cancel(let schedule): isScheduled.remove(schedule)
      case .play: isPlaying = true
      case .pause, .reportPaused: isPlaying = false
      case .record(let event): if event.kind == .answered { answersGiven += 1 }
      case .show, .showPage, .performDefaultAction, .removeNotification: break
      }
    }

    /// The events that can follow.
    var next: [TemplateInteraction.Event] {
      var events: [TemplateInteraction.Event] = [.tapped(.next), .tapped(.open("a://t"))]
      events.append(interaction.isVisible ? .disappeared : .appeared(mayMove: true))
      for id in ["next", "open", "choose", "submit", "unknown"] {
        events.append(.action(id: id, text: "t", number: count))
      }
      if isOpening { events += [.didOpen(true), .didOpen(false)] }
      events += isScheduled.sorted { "\($0)" < "\($1)" }.map { .fired($0) }
      switch interaction.template.kind {
      case .rating: events += [.tapped(.rate(1)), .tapped(.submit)]
      case .poll: events.append(.tapped(.choose("b")))
      case .media: events += [.play, .pause] + (isPlaying ? [.playbackStopped] : [])
      case .carousel, .catalog: events += [.tapped(.page(2)), .tapped(.previous)]
      default: break
      }
      return events
    }
  }

  @Test("answers each action once, and schedules, opens and plays nothing that it may not")
  func everyOrder() throws {
    var sequences = 0
    for members in Self.templates {
      var members = members
      members["actions"] = Self.actions
      let template = try template(.object(members))
      #expect(.string(template.kind.rawValue) == members["kind"])
      // Orders that lead to the same state are continued once, and counted as often as there are.
      var worlds = [World(interaction: TemplateInteraction(template)): 1]
      for _ in 1...6 {
        var following: [World: Int] = [:]
        for (world, number) in worlds {
          for event in world.next {
            var next = world
            if case .action = event { next.count += 1 }
            next.take(event)
            sequences += number
            guard next.faults.isEmpty else {
              let state = world.interaction.state
              Issue.record("\(template.kind), \(state), then \(event): \(next.faults)")
              return
            }
            following[next, default: 0] += number
          }
        }
        worlds = following
      }
    }
    #expect(sequences > 10_000_000, "\(sequences)")
  }
}
