package import Foundation
package import NotificationTemplates
import RichNotificationContent
package import RichNotifications
package import UserNotifications

/// A simulation of iOS and Martlet's content extension, for a notification that a person expands, looks at and leaves.
///
/// It is a value. Each event first runs the work that is due before it. ``trace`` has each decision with its rule.
package struct ExpandedNotification {
  /// The properties of the phone and the app.
  package struct Phone {
    package var extensions: [ContentExtension]
    /// The identifiers of the buttons of each category that the app has registered.
    package var categories: [String: [String]] = [:]
    /// The container of the app group in which the service extension prepares media.
    package var container: URL?
    /// The value of ``RichContentViewController/receipts`` in the content extension.
    package var receipts: ReceiptSettings?
    /// The width of the view in points.
    package var width = 361.0
    /// Whether anything may move by itself: neither Reduce Motion nor VoiceOver is on.
    package var mayMove = true
    /// The bytes above which the extension is killed.
    package var memoryLimit = 24 << 20
    /// Whether the system opens a link.
    package var opens: (String) -> Bool = { _ in true }
    package var measurer: any TemplateTextMeasurer

    package init(extensions: [ContentExtension], measurer: any TemplateTextMeasurer) {
      self.extensions = extensions
      self.measurer = measurer
    }
  }

  /// An event of the notification.
  package enum Event {
    /// A person expands it.
    case expanded(UNNotification)
    /// A person taps a part of the view, or swipes.
    case tapped(TemplateElement.Tap)
    /// A person taps a button below the view; `text` is the typed text.
    case pressed(String, text: String? = nil)
    /// A person closes the view.
    case collapsed
    /// Another notification arrives.
    case received(UNNotification)
    /// The content extension uses this number of bytes.
    case used(bytes: Int)
    /// Nothing happens, but time passes.
    case waited
  }

  package var phone: Phone
  /// The decisions so far, with times since the notification was first expanded.
  package private(set) var trace: [TraceEvent] = []
  /// The content extension whose view is visible.
  package private(set) var shown: ContentExtension?
  /// The height of the view; `nil` if no view is shown.
  package private(set) var height: Double?
  /// The buttons below the view.
  package private(set) var buttons: [TemplateCategoryButton] = []
  /// Whether the notification has left Notification Center.
  package private(set) var isRemoved = false
  /// The receipts that wait to be stored, the oldest first.
  private var receipts: [Receipt] = []
  private var session: ContentSession?
  private var thread = ""
  private var due: [TemplateInteraction.Schedule: Double] = [:]
  private var start: Double?
  private var now = 0.0
  /// The buttons whose taps the content extension has not answered, by the number of the answer.
  private var owed: [Int: String] = [:]
  private var actionCount = 0
  /// Whether the view closes after the commands that are being performed.
  private var isLeaving = false

  package init(phone: Phone) { self.phone = phone }

  /// The template that is shown; `nil` if no content extension is visible.
  package var template: NotificationTemplate? { shown == nil ? nil : session?.template }
  /// The state of the template after the person's actions.
  package var state: TemplateState? { shown == nil ? nil : session?.interaction.state }
  /// The files that are shown, by the identifiers of their media.
  package var files: [String: URL] { session?.files ?? [:] }
  /// The media that cannot be shown.
  package var missing: [PreparedTemplate.Missing] { session?.missing ?? [] }
  /// The buttons whose taps the content extension has not answered.
  package var unanswered: [String] { owed.sorted { $0.key < $1.key }.map(\.value) }

  /// Returns the receipts that the content extension has stored, and removes them.
  package mutating func takeReceipts() -> [Receipt] {
    defer { receipts = [] }
    return receipts
  }

  /// Handles an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - time: The time of the event in seconds since 1970; a time before the last event counts as that of the last event.
  package mutating func on(_ event: Event, at time: Double) {
    if start == nil { (start, now) = (time, time) }
    runSchedules(until: time)
    now = max(now, time)
    switch event {
    case .expanded(let notification): expand(notification)
    case .tapped(let tap): touch(tap)
    case .pressed(let id, let text): press(id, text: text)
    case .collapsed:
      if shown != nil { close("the person closed it") }
    case .received(let notification): receive(notification)
    case .used(let bytes): use(bytes)
    case .waited: break
    }
  }

  /// Runs the schedules that are due, in the order of their times.
  private mutating func runSchedules(until time: Double) {
    while shown != nil,
      let (schedule, date) = due.min(by: { $0.value < $1.value }), date <= time
    {
      due[schedule] = nil
      now = max(now, date)
      take(.fired(schedule))
    }
  }
}

// MARK: - Actions of the system

extension ExpandedNotification {
  private mutating func expand(_ notification: UNNotification) {
    guard shown == nil else { return }
    let content = notification.request.content
    let category = content.categoryIdentifier
    let able = phone.extensions.filter { !category.isEmpty && $0.categories.contains(category) }
    guard let chosen = able.first else {
      return note(
        .contentExtension,
        "no content extension has the category \"\(category)\": the system's view")
    }
    let others =
      able.count > 1 ? "; \(able.count - 1) more have it, which Apple does not allow" : ""
    note(.contentExtension, "the content extension of \(category) is loaded\(others)")
    shown = chosen
    (isLeaving, isRemoved, thread) = (false, false, content.threadIdentifier)
    session = ContentSession(notification, container: phone.container, receipts: phone.receipts)
    set(height: phone.width * chosen.initialRatio)
    take(.appeared(mayMove: phone.mayMove))
  }

  private mutating func touch(_ tap: TemplateElement.Tap) {
    guard let shown else { return }
    if shown.takesTouches { return take(.tapped(tap)) }
    note(.contentTouches, "the view gets no touches: the app is opened")
    close("the app is opened")
  }

  private mutating func press(_ id: String, text: String?) {
    guard shown != nil else { return }
    guard buttons.contains(where: { $0.id == id }) else {
      return note(.contentButtons, "there is no button \(id)")
    }
    actionCount += 1
    owed[actionCount] = id
    take(.action(id: id, text: text, number: actionCount))
  }

  private mutating func receive(_ notification: UNNotification) {
    let content = notification.request.content
    guard let shown, !thread.isEmpty, content.threadIdentifier == thread else {
      return note(.contentThread, "another thread: the view stays as it is")
    }
    guard shown.categories.contains(content.categoryIdentifier) else {
      return note(.contentThread, "not a category of this content extension: the view stays")
    }
    note(.contentThread, "\(notification.request.identifier) is shown in the same view")
    let commands =
      session?.receive(
        notification, container: phone.container, receipts: phone.receipts, at: now) ?? []
    keepReceipts()
    perform(commands)
  }

  private mutating func use(_ bytes: Int) {
    guard shown != nil, bytes > phone.memoryLimit else { return }
    note(.contentMemory, "killed: \(bytes) bytes are over \(phone.memoryLimit)")
    clearView()
  }

  private mutating func close(_ reason: String) {
    note(.contentExtension, "closed: \(reason)")
    let commands = session?.on(.disappeared, at: now) ?? []
    keepReceipts()
    perform(commands)
    clearView()
  }

  private mutating func clearView() {
    shown = nil
    height = nil
    (buttons, due) = ([], [:])
  }

  private mutating func set(height: Double) {
    guard height != self.height else { return }
    note(.contentSize, "the view is \(Int(height.rounded())) points high")
    self.height = height
  }

  private mutating func note(_ rule: HostRule, _ message: String) {
    trace.append(
      TraceEvent(
        at: .milliseconds(Int64(((now - (start ?? now)) * 1000).rounded())), stage: .content,
        rule: rule.name, message: message))
  }
}

// MARK: - Actions of the content extension

extension ExpandedNotification {
  private mutating func take(_ event: TemplateInteraction.Event) {
    let commands = session?.on(event, at: now) ?? []
    keepReceipts()
    perform(commands)
    if isLeaving, shown != nil {
      isLeaving = false
      close("the person left it")
    }
  }

  private mutating func keepReceipts() { receipts += session?.takeReceipts() ?? [] }

  private mutating func perform(_ commands: [TemplateInteraction.Command]) {
    for command in commands {
      switch command {
      case .show: show()
      case .showPage:
        note(.contentExtension, "page \((session?.interaction.state.page ?? 0) + 1)")
        show()
      case .schedule(let schedule, let date): due[schedule] = date
      case .cancel(let schedule): due[schedule] = nil
      case .answer(let number, let answer): self.answer(number, answer)
      case .open(let link):
        let isOpen = phone.opens(link)
        note(.contentExtension, isOpen ? "opens \(link)" : "\(link) is not opened")
        isLeaving = isLeaving || isOpen
        take(.didOpen(isOpen))
      case .performDefaultAction:
        note(.contentAction, "the app is opened as by a tap on the notification")
        isLeaving = true
      case .removeNotification: isRemoved = true
      case .play: note(.contentExtension, "plays")
      case .pause, .reportPaused: note(.contentExtension, "no longer plays")
      case .record(let event): note(.contentExtension, "records \(event.kind.rawValue)")
      }
    }
  }

  private mutating func answer(_ number: Int, _ answer: TemplateInteraction.Answer) {
    guard let id = owed.removeValue(forKey: number) else { return }
    switch answer {
    case .doNotDismiss: note(.contentAction, "\(id): the view stays")
    case .dismiss:
      note(.contentAction, "\(id): the view is closed")
      isLeaving = true
    case .dismissAndForward:
      note(.contentAction, "\(id): the view is closed, and the app gets the action")
      isLeaving = true
    }
  }

  private mutating func show() {
    guard shown != nil, let session else { return }
    var environment = TemplateEnvironment(width: phone.width, now: now)
    environment.reducesMotion = !phone.mayMove
    let layout = session.layout(in: environment, measuring: phone.measurer)
    set(height: layout.size.height)
    let present = layout.buttons(
      of: session.template, registered: phone.categories[session.category] ?? [])
    guard present != buttons else { return }
    buttons = present
    note(.contentButtons, "buttons: \(present.map(\.id).joined(separator: ", "))")
  }
}

extension TraceEvent.Stage {
  static let content = TraceEvent.Stage(rawValue: "content")
}
