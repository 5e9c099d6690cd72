// Taps in the view, the buttons below it, links and media.

import PushPayload

extension TemplateInteraction {
  mutating func tap(_ tap: TemplateElement.Tap, at now: Double) -> [Command] {
    switch tap {
    case .open(let link): stopMoving() + open(link, at: now)
    case .next: move(by: 1, at: now)
    case .previous: move(by: -1, at: now)
    case .page(let page): stopMoving() + turn(to: page, isAnnounced: true, at: now)
    case .rate(let star): rate(star, at: now)
    case .choose(let choice): choose(choice, at: now)
    case .submit: submit(text: nil, at: now)
    }
  }

  mutating func act(
    _ id: String, text: String?, number: Int, at now: Double
  ) -> [Command] {
    guard let action = template.actions.first(where: { $0.id == id }) else {
      return [.answer(number, .dismissAndForward)]
    }
    let commands: [Command]
    switch action.effect {
    case .forward: return [.answer(number, .dismissAndForward)]
    case .dismiss: return [.answer(number, .dismiss)]
    case .next: commands = move(by: 1, at: now)
    case .previous: commands = move(by: -1, at: now)
    case .choose: commands = choose(id, at: now)
    case .submit: commands = submit(text: text, at: now)
    case .open: commands = stopMoving() + open(action.link ?? presentLink, at: now)
    }
    // The answer ends the extension, so it waits until the link is open, or the view is gone.
    if isOpening, isVisible {
      waiting.append(number)
      return commands
    }
    let hasLeft = isOpening || commands.contains(.performDefaultAction)
    return commands + [.answer(number, hasLeft ? .dismiss : .doNotDismiss)]
  }
}

// MARK: - Answers

extension TemplateInteraction {
  private mutating func rate(_ star: Int, at now: Double) -> [Command] {
    guard case .rating(let rating) = template.content, !state.isAnswered,
      (1...rating.scale).contains(star)
    else { return [] }
    state.rating = star
    return rating.commit == .submit ? [.show] : submit(text: nil, at: now)
  }

  /// Makes the choice of a poll; in a rating it chooses the next star, because touches may not reach the view.
  private mutating func choose(_ choice: String, at now: Double) -> [Command] {
    switch template.content {
    case .rating(let rating): rate((state.rating ?? 0) % rating.scale + 1, at: now)
    case .poll(let poll) where poll.choices.contains { $0.id == choice }:
      answer(choice, link: nil, at: now)
    default: []
    }
  }

  private mutating func submit(text: String?, at now: Double) -> [Command] {
    switch template.content {
    case .rating(let rating):
      guard let star = state.rating else { return [] }
      let link =
        switch rating.commit {
        case .submit: rating.submitLink ?? rating.link(of: star)
        case .tap: rating.link(of: star) ?? template.link
        }
      return answer("\(star)", link: link, at: now)
    case .input:
      guard let text, !text.isEmpty else { return [] }
      return answer(text, link: nil, at: now)
    default: return []
    }
  }

  /// Records one answer; later answers to the same notification do not count.
  private mutating func answer(_ value: String, link: String?, at now: Double) -> [Command] {
    guard !state.isAnswered else { return [] }
    state.isAnswered = true
    var event = TemplateEvent(kind: .answered, time: now)
    event.value = String(value.prefix(TemplateEventLimits.longestValue))
    return [.show, .record(event)] + (link.map { open($0, at: now) } ?? [])
  }
}

// MARK: - Links

extension TemplateInteraction {
  /// The link of the present page, product or button.
  private var presentLink: String? {
    switch template.content {
    case .carousel(let carousel): template.link(of: carousel.pages[state.page])
    case .catalog(let catalog):
      catalog.button?.link ?? template.link(of: catalog.items[state.page])
    case .banner(let banner): banner.button?.link ?? template.link
    default: template.link
    }
  }

  /// Opens a link, or the app if the link is `nil`.
  private mutating func open(_ link: String?, at now: Double) -> [Command] {
    guard !isOpening else { return [] }
    var event = TemplateEvent(kind: .opened, time: now)
    event.link = link
    if !template.pages.isEmpty {
      event.page = state.page
      event.pageID = template.pages[state.page].id
    }
    guard let link else { return [.record(event), .performDefaultAction] }
    isOpening = true
    return [.record(event), .open(link)]
  }

  /// A link that the system does not open, such as one of an app that is not installed, opens the app.
  mutating func didOpen(_ isDone: Bool) -> [Command] {
    guard isOpening else { return [] }
    isOpening = false
    defer { waiting = [] }
    return [isDone ? .removeNotification : .performDefaultAction]
      + waiting.map { .answer($0, .dismiss) }
  }
}

// MARK: - Media

extension TemplateInteraction {
  mutating func player(_ event: Event, at now: Double) -> [Command] {
    guard case .media = template.content else { return [] }
    switch event {
    case .play where isVisible && !isPlaying:
      isPlaying = true
      return [.play, .record(TemplateEvent(kind: .played, time: now))]
    case .pause where isPlaying:
      isPlaying = false
      return [.pause]
    case .playbackStopped where isPlaying:
      isPlaying = false
      return [.reportPaused]
    default: return []
    }
  }
}
