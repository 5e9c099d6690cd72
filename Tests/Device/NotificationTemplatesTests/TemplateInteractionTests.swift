import NotificationTemplates
import PushPayload
import Testing

@Suite("What an expanded notification does")
struct TemplateInteractionTests {
  typealias Command = TemplateInteraction.Command

  private static let pages: JSONValue = [
    ["id": "p0", "media": ["id": "a", "url": "a"], "link": "shop://0"],
    ["id": "p1", "media": ["id": "b", "url": "b"]],
    ["media": ["id": "c", "url": "c"], "link": "shop://2"],
  ]

  private static let buttons: JSONValue = [
    ["id": "n", "effect": "next"], ["id": "p", "effect": "previous"],
    ["id": "o", "effect": "open"],
    ["id": "x", "effect": "dismiss"],
  ]

  private func interaction(
    _ members: [String: JSONValue], isVisible: Bool = true, mayMove: Bool = true
  ) throws -> TemplateInteraction {
    var interaction = TemplateInteraction(try template(.object(members)))
    if isVisible { _ = interaction.on(.appeared(mayMove: mayMove), at: 1000) }
    return interaction
  }

  private func carousel(_ members: [String: JSONValue] = [:]) -> [String: JSONValue] {
    members.merging([
      "kind": "carousel", "pages": Self.pages, "link": "shop://all", "actions": Self.buttons,
    ]) { own, _ in own }
  }

  private func event(
    _ kind: TemplateEvent.Kind, at time: Double,
    _ configure: (inout TemplateEvent) -> Void = { _ in
    }
  ) -> Command {
    var event = TemplateEvent(kind: kind, time: time)
    configure(&event)
    return .record(event)
  }

  @Test("pages follow by themselves until a person moves them, and not with Reduce Motion")
  func advancing() throws {
    var it = try interaction(carousel(["advance": 3]), isVisible: false)
    #expect(
      it.on(.appeared(mayMove: true), at: 1000) == [
        .show, event(.viewed, at: 1000), .schedule(.page, at: 1003),
      ])
    #expect(
      it.on(.fired(.page), at: 1003) == [
        .showPage(isAnnounced: false), .schedule(.page, at: 1006),
      ])
    #expect(it.state.page == 1)
    #expect(it.on(.tapped(.next), at: 1004) == [.cancel(.page), .showPage(isAnnounced: true)])
    // A timer that was on its way.
    #expect(it.on(.fired(.page), at: 1006) == [])
    #expect(it.state.page == 2)

    it = try interaction(carousel(["advance": 3]), isVisible: false)
    #expect(it.on(.appeared(mayMove: false), at: 1000) == [.show, event(.viewed, at: 1000)])
  }

  @Test(
    "the last page is followed by the first, or by none",
    arguments: [(true, [1, 2, 0, 1], [2, 1]), (false, [1, 2, 2, 2], [0, 0])])
  func ends(wraps: Bool, after: [Int], before: [Int]) throws {
    var it = try interaction(carousel(["wraps": .bool(wraps)]))
    let forward = (0..<4).map { step in
      #expect(
        it.on(.action(id: "n", text: nil, number: step), at: 1001).last
          == .answer(step, .doNotDismiss))
      return it.state.page
    }
    #expect(forward == after)
    it = try interaction(carousel(["wraps": .bool(wraps)]))
    let back = (0..<2).map { _ in
      _ = it.on(.tapped(.previous), at: 1001)
      return it.state.page
    }
    #expect(back == before)
    // The pages that move by themselves end there as well.
    it = try interaction(carousel(["wraps": .bool(wraps), "advance": 1]))
    let moved = (1...4).map { second in
      _ = it.on(.fired(.page), at: 1000 + Double(second))
      return it.state.page
    }
    #expect(moved == after)
  }

  @Test("a page is not left while its link is being opened")
  func opening() throws {
    var it = try interaction(carousel(["advance": 3]))
    let opened = event(.opened, at: 1002) {
      $0.page = 0
      $0.pageID = "p0"
      $0.link = "shop://0"
    }
    #expect(
      it.on(.tapped(.open("shop://0")), at: 1002) == [
        .cancel(.page), opened, .open("shop://0"),
      ])
    #expect(it.on(.tapped(.open("shop://0")), at: 1002) == [])
    #expect(it.on(.tapped(.next), at: 1002) == [])
    #expect(it.state.page == 0)
    #expect(it.on(.didOpen(true), at: 1003) == [.removeNotification])
    #expect(it.on(.didOpen(true), at: 1003) == [])
    #expect(it.on(.tapped(.page(2)), at: 1004) == [.showPage(isAnnounced: true)])
  }

  @Test(
    "a button opens the link of the page that is shown, and is answered when it is open",
    arguments: [(0, "shop://0"), (1, "shop://all"), (2, "shop://2")])
  func button(page: Int, link: String) throws {
    var it = try interaction(carousel())
    _ = it.on(.tapped(.page(page)), at: 1000)
    let commands = it.on(.action(id: "o", text: nil, number: 7), at: 1001)
    #expect(commands.last == .open(link))
    #expect(it.on(.didOpen(true), at: 1002) == [.removeNotification, .answer(7, .dismiss)])
  }

  @Test("a link that does not open opens the app, and so does a button without a link")
  func failing() throws {
    var it = try interaction(carousel())
    _ = it.on(.action(id: "o", text: nil, number: 1), at: 1001)
    _ = it.on(.action(id: "o", text: nil, number: 2), at: 1001)
    #expect(
      it.on(.didOpen(false), at: 1002) == [
        .performDefaultAction, .answer(1, .dismiss), .answer(2, .dismiss),
      ])
    it = try interaction(["kind": "text", "actions": Self.buttons])
    #expect(
      it.on(.action(id: "o", text: nil, number: 3), at: 1001) == [
        event(.opened, at: 1001), .performDefaultAction, .answer(3, .dismiss),
      ])
  }

  @Test(
    "an action that the template does not know goes to the app",
    arguments: [
      ("unknown", TemplateInteraction.Answer.dismissAndForward),
      ("com.apple.UNNotificationDismissActionIdentifier", .dismissAndForward),
      ("", .dismissAndForward), ("x", .dismiss),
    ])
  func unknown(id: String, answer: TemplateInteraction.Answer) throws {
    var it = try interaction(carousel())
    #expect(it.on(.action(id: id, text: nil, number: 4), at: 1001) == [.answer(4, answer)])
    #expect(it.on(.action(id: id, text: "t", number: 5), at: 1001) == [.answer(5, answer)])
  }

  @Test("collapsing while a link is being opened answers, and removes the notification afterwards")
  func collapsing() throws {
    var it = try interaction(carousel())
    _ = it.on(.action(id: "o", text: nil, number: 1), at: 1001)
    #expect(it.on(.disappeared, at: 1002).first == .answer(1, .dismiss))
    #expect(it.on(.didOpen(true), at: 1003) == [.removeNotification])
    #expect(it.on(.disappeared, at: 1004) == [])
  }

  @Test("each page that was visible is counted once, with the time of all looks at it")
  func looks() throws {
    var it = try interaction(carousel())
    for (tap, time) in [(1, 1002.0), (0, 1003), (2, 1007)] {
      _ = it.on(.tapped(.page(tap)), at: time)
    }
    func look(_ page: Int, _ id: String?, _ duration: Double) -> Command {
      event(.page, at: 1008) {
        $0.page = page
        $0.pageID = id
        $0.duration = duration
      }
    }
    #expect(
      it.on(.disappeared, at: 1008) == [
        .cancel(.page), .cancel(.countdown), look(0, "p0", 6), look(1, "p1", 1), look(2, nil, 1),
      ])
    // A clock that goes back counts nothing, and one that jumps at most an hour.
    _ = it.on(.appeared(mayMove: true), at: 2000)
    _ = it.on(.tapped(.page(0)), at: 1000)
    let last = it.on(.disappeared, at: 900_000)
    #expect(
      last.compactMap { if case .record(let event) = $0 { event.duration } else { nil } } == [
        TemplateEvent.longestDuration, 0,
      ])
  }

  @Test("a countdown is shown at each second, and its end is counted once")
  func countdown() throws {
    var it = try interaction(["kind": "timer", "end": 1002.5], isVisible: false)
    #expect(
      it.on(.appeared(mayMove: false), at: 1000) == [
        .show, event(.viewed, at: 1000), .schedule(.countdown, at: 1000.5),
      ])
    #expect(it.on(.fired(.countdown), at: 1000.5) == [.show, .schedule(.countdown, at: 1001.5)])
    #expect(it.on(.disappeared, at: 1001) == [.cancel(.page), .cancel(.countdown)])
    #expect(it.on(.fired(.countdown), at: 1001.5) == [])
    // The view that was away shows what it has missed.
    let expired = event(.expired, at: 1003)
    #expect(
      it.on(.appeared(mayMove: false), at: 1003) == [.show, event(.viewed, at: 1003), expired])
    _ = it.on(.disappeared, at: 1004)
    #expect(it.on(.appeared(mayMove: false), at: 1005) == [.show, event(.viewed, at: 1005)])
  }

  @Test(
    "a view waits at most a day for a countdown, however far its end is",
    arguments: [
      (1e9, 1), (1e9 + 86_399, 86_400), (1e9 + 86_400, 86_400), (32_503_680_000, 86_400),
    ] as [(Double, Double)])
  func longCountdown(left: Double, wait: Double) throws {
    var it = try interaction(["kind": "timer", "end": .number(1000 + left)], isVisible: false)
    #expect(
      it.on(.appeared(mayMove: false), at: 1000) == [
        .show, event(.viewed, at: 1000), .schedule(.countdown, at: 1000 + wait),
      ])
    #expect(
      it.on(.fired(.countdown), at: 1000 + wait).first == .show && wait <= 86_400)
  }

  @Test("a star opens its link at once, or waits until the rating is submitted")
  func rating() throws {
    let actions: JSONValue = [
      ["id": "c", "effect": "choose"], ["id": "s", "effect": "submit"],
    ]
    var it = try interaction([
      "kind": "rating", "scale": 3, "links": ["r://1", "r://2"], "commit": "tap",
    ])
    #expect(it.on(.tapped(.rate(4)), at: 1001) == [])
    #expect(it.on(.tapped(.rate(0)), at: 1001) == [])
    #expect(
      it.on(.tapped(.rate(3)), at: 1001) == [
        .show, event(.answered, at: 1001) { $0.value = "3" },
        event(.opened, at: 1001) { $0.link = "r://1" }, .open("r://1"),
      ])
    _ = it.on(.didOpen(true), at: 1002)
    #expect(it.on(.tapped(.rate(1)), at: 1003) == [])

    it = try interaction([
      "kind": "rating", "scale": 3, "commit": "submit", "submit": ["link": "r://all"],
      "actions": actions,
    ])
    #expect(it.on(.tapped(.submit), at: 1001) == [])
    #expect(it.on(.tapped(.rate(2)), at: 1001) == [.show])
    // Where touches do not reach the view, a button chooses the next star.
    let stars = (0..<3).map { number in
      #expect(
        it.on(.action(id: "c", text: nil, number: number), at: 1002)
          == [.show, .answer(number, .doNotDismiss)])
      return it.state.rating
    }
    #expect(stars == [3, 1, 2])
    #expect(
      it.on(.action(id: "s", text: nil, number: 9), at: 1003) == [
        .show, event(.answered, at: 1003) { $0.value = "2" },
        event(.opened, at: 1003) { $0.link = "r://all" }, .open("r://all"),
      ])
    #expect(it.on(.didOpen(true), at: 1004) == [.removeNotification, .answer(9, .dismiss)])
  }

  @Test("a question takes one answer, of at most 256 characters")
  func answers() throws {
    let submit: JSONValue = [["id": "s", "effect": "submit"]]
    for (length, kept) in [(256, 256), (257, 256)] {
      var it = try interaction(["kind": "input", "actions": submit])
      #expect(
        it.on(.action(id: "s", text: nil, number: 1), at: 1001) == [.answer(1, .doNotDismiss)])
      #expect(
        it.on(.action(id: "s", text: "", number: 2), at: 1001) == [.answer(2, .doNotDismiss)])
      let text = String(repeating: "é", count: length)
      let value = String(repeating: "é", count: kept)
      #expect(
        it.on(.action(id: "s", text: text, number: 3), at: 1001) == [
          .show, event(.answered, at: 1001) { $0.value = value }, .answer(3, .doNotDismiss),
        ])
      #expect(
        it.on(.action(id: "s", text: "again", number: 4), at: 1001) == [.answer(4, .doNotDismiss)])
    }
    var poll = try interaction([
      "kind": "poll", "prompt": "Tea?",
      "choices": [["id": "y", "title": "Yes"], ["id": "n", "title": "No"]],
      "actions": [["id": "n", "effect": "choose"]],
    ])
    #expect(poll.on(.tapped(.choose("z")), at: 1001) == [])
    #expect(
      poll.on(.action(id: "n", text: nil, number: 1), at: 1001) == [
        .show, event(.answered, at: 1001) { $0.value = "n" }, .answer(1, .doNotDismiss),
      ])
    #expect(poll.on(.tapped(.choose("y")), at: 1002) == [])
  }

  @Test("media play and pause by the system's button, and pause when the notification is collapsed")
  func media() throws {
    var it = try interaction(["kind": "media", "media": ["url": "https://a.example/m.mp4"]])
    #expect(it.on(.pause, at: 1001) == [])
    #expect(it.on(.play, at: 1001) == [.play, event(.played, at: 1001)])
    #expect(it.on(.play, at: 1002) == [])
    #expect(it.on(.playbackStopped, at: 1003) == [.reportPaused])
    _ = it.on(.play, at: 1004)
    #expect(it.on(.pause, at: 1005) == [.pause])
    _ = it.on(.play, at: 1006)
    #expect(it.on(.disappeared, at: 1007).first == .pause)
    #expect(it.on(.play, at: 1008) == [])
  }

  @Test("a later notification of the thread takes the view over")
  func receiving() throws {
    var it = try interaction(carousel(["advance": 2]))
    _ = it.on(.tapped(.page(2)), at: 1001)
    _ = it.on(.action(id: "o", text: nil, number: 1), at: 1002)
    let next = try template(.object(carousel(["advance": 5])))
    let commands = it.on(.received(next), at: 1003)
    #expect(commands.first == .answer(1, .dismiss))
    #expect(
      commands.suffix(3) == [.show, event(.viewed, at: 1003), .schedule(.page, at: 1008)])
    #expect(it.state.page == 0 && it.template == next)
    // Before the notification is expanded nothing is shown.
    it = try interaction(carousel(), isVisible: false)
    #expect(it.on(.received(next), at: 1000) == [])
  }
}
