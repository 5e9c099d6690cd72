import PushModel
import Testing

@Suite("The states of campaigns and their runs")
struct CampaignLifecycleTests {
  typealias State = CampaignLifecycle.State

  /// The state after each event, in the order start, pause, resume, end, discard, finished; `nil` is a
  /// refusal.
  static let campaigns: [(from: State, to: [State?])] = [
    (.draft, [.live, nil, nil, nil, .discarded, nil]),
    (.live, [.live, .paused, .live, .ended, nil, .ended]),
    (.paused, [nil, .paused, .live, .ended, nil, .ended]),
    (.ended, [nil, nil, nil, .ended, nil, .ended]),
    (.discarded, [nil, nil, nil, nil, .discarded, nil]),
  ]

  @Test("each event leads a campaign where the table says, or is refused", arguments: campaigns)
  func campaign(from: State, to: [State?]) {
    let events: [CampaignLifecycle.Event] = [.start, .pause, .resume, .end, .discard, .finished]
    for (event, wanted) in zip(events, to) {
      var lifecycle = CampaignLifecycle(state: from)
      let action = lifecycle.on(event)
      #expect((action == .refuse) == (wanted == nil), "\(event)")
      #expect(lifecycle.state == wanted ?? from, "\(event)")
    }
  }

  @Test(
    "a refusal names the state, what it forbids and what it allows",
    arguments: [
      (
        State.draft, CampaignLifecycle.Event.pause,
        "is a draft and cannot be paused; start it first, or discard it"
      ),
      (.live, .discard, "is live and cannot be discarded; pause it or end it"),
      (.paused, .start, "is paused and cannot be started; resume it or end it"),
      (.ended, .resume, "is ended and cannot be resumed; duplicate it, and start the duplicate"),
    ])
  func refusal(state: State, event: CampaignLifecycle.Event, text: String) {
    #expect(CampaignLifecycle(state: state).refusal(of: event) == text)
  }

  typealias RunState = RunLifecycle.State

  /// The state after each event, in the order of the events below.
  static let runs: [(from: RunState, to: [RunState?])] = [
    (.planned, [.testing, .rolling, nil, nil, nil, .skipped, .canceled]),
    (.testing, [nil, nil, .deciding, .rolling, nil, nil, .canceled]),
    (.deciding, [nil, nil, nil, .rolling, nil, nil, .canceled]),
    (.rolling, [nil, nil, nil, nil, .settled, nil, .canceled]),
    (.settled, [nil, nil, nil, nil, nil, nil, nil]),
    (.skipped, [nil, nil, nil, nil, nil, nil, nil]),
    (.canceled, [nil, nil, nil, nil, nil, nil, nil]),
  ]

  @Test("each event leads a run where the table says, or is refused", arguments: runs)
  func run(from: RunState, to: [RunState?]) {
    let events: [RunLifecycle.Event] = [
      .started(tests: true), .started(tests: false), .waitsForDecision, .decided,
      .ended, .skip, .cancel,
    ]
    for (event, wanted) in zip(events, to) {
      var lifecycle = RunLifecycle(state: from)
      #expect(lifecycle.on(event) == (wanted != nil), "\(event)")
      #expect(lifecycle.state == wanted ?? from, "\(event)")
    }
  }
}
