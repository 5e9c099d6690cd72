/// The state machine of an expanded notification: its reactions to touches, buttons and the time.
///
/// It is a value: a view passes it each ``Event``, and performs each ``Command`` that it returns, in order. Every action gets
/// exactly one answer, whatever happens in between. Nothing is scheduled while the view is not visible.
///
/// Source of the answers: Apple, `UNNotificationContentExtension`, `didReceive(_:completionHandler:)`.
package struct TemplateInteraction: Hashable, Sendable {
  /// An event of the view.
  package enum Event: Hashable, Sendable {
    /// The notification was expanded. Pages do not move by themselves with Reduce Motion or VoiceOver.
    case appeared(mayMove: Bool)
    /// The notification was collapsed, or the extension is about to be stopped.
    case disappeared
    /// A later notification of the same thread must be shown in the same view.
    case received(NotificationTemplate)
    /// A part of the view was tapped, or an action of VoiceOver was chosen.
    case tapped(TemplateElement.Tap)
    /// A button below the view was tapped. `text` is the person's input, and `number` identifies the answer that is awaited.
    case action(id: String, text: String?, number: Int)
    /// The time of a schedule has come.
    case fired(Schedule)
    /// Whether the system opened the link.
    case didOpen(Bool)
    /// The system's button asks to play.
    case play
    /// The system's button asks to pause.
    case pause
    /// The movie or sound is at its end, or was interrupted.
    case playbackStopped
  }

  /// A repeated event.
  package enum Schedule: Hashable, Sendable {
    /// The next page follows by itself.
    case page
    /// The countdown changes.
    case countdown
  }

  /// The answer to an action.
  package enum Answer: Hashable, Sendable {
    case doNotDismiss, dismiss, dismissAndForward
  }

  /// A task for the view.
  package enum Command: Hashable, Sendable {
    /// The template is laid out again in ``TemplateInteraction/state``.
    case show
    /// The page has changed; the view moves to it, and VoiceOver announces it unless it moved by itself.
    case showPage(isAnnounced: Bool)
    /// ``Event/fired(_:)`` follows at a time, in seconds since 1970; an earlier request of the same schedule is forgotten.
    case schedule(Schedule, at: Double)
    case cancel(Schedule)
    /// The action with this number is answered.
    case answer(Int, Answer)
    /// The link is opened; ``Event/didOpen(_:)`` follows.
    case open(String)
    /// The app is opened as by a tap on the notification.
    case performDefaultAction
    /// The notification leaves Notification Center, which opening a link does not do by itself.
    case removeNotification
    case play
    case pause
    /// The system's button is told that nothing plays any more.
    case reportPaused
    case record(TemplateEvent)
  }

  package private(set) var template: NotificationTemplate
  package internal(set) var state = TemplateState()
  package internal(set) var isPlaying = false
  package private(set) var isVisible = false

  /// The longest wait of a schedule, in seconds: no system waits for a countdown of centuries.
  package static let longestWait = 86_400.0

  /// Whether anything may move by itself.
  private var mayMove = false
  /// Whether pages still move by themselves: until a person moves them.
  private var movesByItself = false
  /// Whether a link is being opened.
  var isOpening = false
  /// The actions that are answered when the link is open.
  var waiting: [Int] = []
  /// The seconds that each page was visible.
  private var durations: [Int: Double] = [:]
  /// The time at which the present page became visible.
  private var pageStart = 0.0
  private var hasSeenEnd = false

  /// - Parameter template: The template, without the media that are not ready.
  package init(_ template: NotificationTemplate) { self.template = template }

  /// Handles an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - now: The present time in seconds since 1970.
  /// - Returns: The tasks for the view, in order.
  package mutating func on(_ event: Event, at now: Double) -> [Command] {
    switch event {
    case .appeared(let mayMove): appear(mayMove: mayMove, at: now)
    case .disappeared: disappear(at: now)
    case .received(let template): receive(template, at: now)
    case .tapped(let tap): isVisible && !isOpening ? self.tap(tap, at: now) : []
    case .action(let id, let text, let number): act(id, text: text, number: number, at: now)
    case .fired(let schedule): isVisible ? fire(schedule, at: now) : []
    case .didOpen(let isDone): didOpen(isDone)
    case .play, .pause, .playbackStopped: player(event, at: now)
    }
  }
}

// MARK: - The view's life

extension TemplateInteraction {
  private mutating func appear(mayMove: Bool, at now: Double) -> [Command] {
    guard !isVisible else { return [] }
    isVisible = true
    isOpening = false
    self.mayMove = mayMove
    movesByItself = mayMove && advance != nil
    pageStart = now
    return [.show, .record(TemplateEvent(kind: .viewed, time: now))] + schedules(at: now)
  }

  private mutating func disappear(at now: Double) -> [Command] {
    var commands: [Command] = waiting.map { .answer($0, .dismiss) }
    waiting = []
    if isPlaying { commands.append(.pause) }
    isPlaying = false
    guard isVisible else { return commands }
    commands += [.cancel(.page), .cancel(.countdown)] + looks(at: now)
    isVisible = false
    return commands
  }

  private mutating func receive(
    _ template: NotificationTemplate, at now: Double
  ) -> [Command] {
    let (wasVisible, mayMove) = (isVisible, mayMove)
    let commands = disappear(at: now)
    self = TemplateInteraction(template)
    return commands + (wasVisible ? appear(mayMove: mayMove, at: now) : [])
  }

  /// One event for each page that was visible.
  private mutating func looks(at now: Double) -> [Command] {
    countLook(at: now)
    defer { durations = [:] }
    guard template.pages.count > 1 else { return [] }
    return durations.sorted { $0.key < $1.key }.map { page, duration in
      var event = TemplateEvent(kind: .page, time: now)
      event.page = page
      event.pageID = template.pages[page].id
      event.duration = duration
      return .record(event)
    }
  }

  private mutating func countLook(at now: Double) {
    let duration = min(max(0, now - pageStart), TemplateEvent.longestDuration)
    durations[state.page] = min(
      durations[state.page, default: 0] + duration, TemplateEvent.longestDuration)
    pageStart = now
  }
}

// MARK: - Pages and time

extension TemplateInteraction {
  private var advance: Double? {
    if case .carousel(let carousel) = template.content { carousel.advance } else { nil }
  }

  /// Whether the first page follows the last.
  private var wraps: Bool {
    if case .carousel(let carousel) = template.content { carousel.wraps } else { false }
  }

  /// Shows another page.
  mutating func turn(to page: Int, isAnnounced: Bool, at now: Double) -> [Command] {
    guard page != state.page, template.pages.indices.contains(page) else { return [] }
    countLook(at: now)
    state.page = page
    return [.showPage(isAnnounced: isAnnounced)]
  }

  /// A person moves the pages, which then no longer move by themselves.
  mutating func move(by step: Int, at now: Double) -> [Command] {
    let count = template.pages.count
    guard count > 1 else { return [] }
    let wanted = state.page + step
    let page = wraps ? ((wanted % count) + count) % count : wanted
    return stopMoving() + turn(to: page, isAnnounced: true, at: now)
  }

  mutating func stopMoving() -> [Command] {
    guard movesByItself else { return [] }
    movesByItself = false
    return [.cancel(.page)]
  }

  private mutating func schedules(at now: Double) -> [Command] {
    scheduledPage(at: now) + scheduledCountdown(at: now)
  }

  private func scheduledPage(at now: Double) -> [Command] {
    guard movesByItself, let advance, wraps || state.page < template.pages.count - 1
    else { return [] }
    return [.schedule(.page, at: now + advance)]
  }

  private mutating func scheduledCountdown(at now: Double) -> [Command] {
    guard case .timer(let timer) = template.content else { return [] }
    let rest = TemplateCountdown(end: timer.end, now: now)
    if !rest.hasEnded {
      let change = timer.end - Double(rest.seconds - 1)
      return [.schedule(.countdown, at: min(change, now + Self.longestWait))]
    }
    if hasSeenEnd { return [] }
    hasSeenEnd = true
    return [.record(TemplateEvent(kind: .expired, time: now))]
  }

  private mutating func fire(_ schedule: Schedule, at now: Double) -> [Command] {
    switch schedule {
    case .page:
      guard movesByItself else { return [] }
      // While a link is being opened, the page stays the one that was tapped.
      if isOpening { return scheduledPage(at: now) }
      let next = (state.page + 1) % max(1, template.pages.count)
      guard wraps || next > 0 else { return [] }
      return turn(to: next, isAnnounced: false, at: now) + scheduledPage(at: now)
    case .countdown:
      guard case .timer = template.content else { return [] }
      return [.show] + scheduledCountdown(at: now)
    }
  }
}
