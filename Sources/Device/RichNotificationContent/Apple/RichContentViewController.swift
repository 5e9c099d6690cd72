#if os(iOS) || os(visionOS)
  import Foundation
  import NotificationTemplates
  public import RichNotifications
  public import UIKit
  public import UserNotifications
  public import UserNotificationsUI

  /// The view controller of a notification content extension, which shows the templates of every vendor.
  ///
  /// Name it as the principal class of the extension, or subclass it. Its Info.plist needs the categories
  /// (`UNNotificationExtensionCategory`), `UNNotificationExtensionUserInteractionEnabled` and
  /// `UNNotificationExtensionDefaultContentHidden`, both true, and the app group that the service extension writes to:
  ///
  /// ```xml
  /// <key>Martlet</key><dict><key>AppGroup</key><string>group.example.app</string></dict>
  /// ```
  ///
  /// Media are shown from the files that ``RichNotificationService`` has prepared; nothing is fetched here. A notification
  /// without a template, of whatever sender, is shown as text.
  ///
  /// Source: Apple, "Customizing the appearance of notifications", and `UNNotificationContentExtension`.
  @objc(RichContentViewController)
  open class RichContentViewController: UIViewController,
    @preconcurrency UNNotificationContentExtension
  {
    /// The identifier of the app group in which the service extension prepares media, read once for each notification.
    ///
    /// The default is `AppGroup` of the dictionary `Martlet` in the Info.plist. If it is `nil`, the attachments are shown.
    open var appGroup: String? {
      (Bundle.main.infoDictionary?["Martlet"] as? [String: Any])?["AppGroup"] as? String
    }

    /// The device, and the queue that stores receipts of a person's actions, read once for each notification.
    ///
    /// The default is `nil`: nothing is stored. Return the settings of the service extension: its next run, or the app, sends
    /// the receipts. Text that a person types is part of a receipt only with ``ReceiptSettings/sendsTypedText``.
    open var receipts: ReceiptSettings? { nil }

    private let templateView = TemplateView(frame: .zero)
    private let storage = ReceiptStorage()
    private var settings: ReceiptSettings?
    private var session: ContentSession?
    private var player: ContentPlayer?
    private var isShown = false
    /// The completion handlers of the actions that wait for an answer, by the number of each.
    private var completions: [Int: (UNNotificationContentExtensionResponseOption) -> Void] = [:]
    private var actionCount = 0
    private var tasks: [TemplateInteraction.Schedule: Task<Void, Never>] = [:]
    /// The buttons of a category, as they were before the template replaced them.
    private var registered: (category: String, actions: [UNNotificationAction])?
    private var lastPage = 0

    /// Prepares the view.
    open override func viewDidLoad() {
      super.viewDidLoad()
      templateView.frame = view.bounds
      templateView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      templateView.onTap = { [weak self] tap in self?.take(.tapped(tap)) }
      templateView.onChange = { [weak self] in self?.show(slidesForward: nil) }
      view.addSubview(templateView)
    }

    /// Starts the parts that move by themselves.
    ///
    /// - Parameter animated: Whether the appearance is animated.
    open override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      isShown = true
      take(.appeared(mayMove: mayMove))
    }

    /// Stops the parts that move by themselves, and answers the actions that are not answered yet.
    ///
    /// - Parameter animated: Whether the disappearance is animated.
    open override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      isShown = false
      take(.disappeared)
      storage.finish()
    }

    /// Shows a notification, or a later one of the same thread.
    ///
    /// - Parameter notification: The notification.
    open func didReceive(_ notification: UNNotification) {
      loadViewIfNeeded()
      let container = appGroup.flatMap {
        FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: $0)
      }
      let settings = receipts
      if session == nil {
        self.settings = settings
        session = ContentSession(notification, container: container, receipts: settings)
        preparePlayer()
        show(slidesForward: nil)
        if isShown { take(.appeared(mayMove: mayMove)) }
      } else {
        let commands =
          session?.receive(notification, container: container, receipts: settings, at: now) ?? []
        store()
        self.settings = settings
        preparePlayer()
        commands.forEach(perform)
        show(slidesForward: nil)
      }
    }

    /// Handles an action, which is answered exactly once.
    ///
    /// - Parameters:
    ///   - response: The action.
    ///   - completion: Called with the answer.
    open func didReceive(
      _ response: UNNotificationResponse,
      completionHandler completion:
        @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
    ) {
      guard session != nil else { return completion(.dismissAndForwardAction) }
      actionCount += 1
      completions[actionCount] = completion
      take(
        .action(
          id: response.actionIdentifier,
          text: (response as? UNTextInputNotificationResponse)?.userText, number: actionCount))
    }

    /// The type of the system's play button: an overlay for a movie or sound, and otherwise none.
    open var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType {
      player == nil ? .none : .overlay
    }

    /// The place of the play button: over the movie.
    open var mediaPlayPauseButtonFrame: CGRect { templateView.playerFrame }

    /// Starts playing, after a tap on the system's button.
    open func mediaPlay() { take(.play) }

    /// Pauses, which the system's button asks for.
    open func mediaPause() { take(.pause) }

    /// Called with each event, for the app's own statistics.
    ///
    /// The default does nothing.
    ///
    /// - Parameter event: The event.
    open func didRecord(_ event: RichContentEvent) {}
  }

  // MARK: - Commands

  extension RichContentViewController {
    private var now: Double { Date().timeIntervalSince1970 }

    private var mayMove: Bool {
      !UIAccessibility.isReduceMotionEnabled && !UIAccessibility.isVoiceOverRunning
    }

    private func take(_ event: TemplateInteraction.Event) {
      lastPage = session?.interaction.state.page ?? 0
      let commands = session?.on(event, at: now) ?? []
      // Before the answer to an action, which may end the extension.
      store()
      commands.forEach(perform)
    }

    private func store() {
      guard let receipts = session?.takeReceipts(), let queue = settings?.queue else { return }
      storage.add(receipts, to: queue)
    }

    private func perform(_ command: TemplateInteraction.Command) {
      switch command {
      case .show: show(slidesForward: nil)
      case .showPage(let isAnnounced): showPage(isAnnounced: isAnnounced)
      case .schedule(let schedule, let date): self.schedule(schedule, at: date)
      case .cancel(let schedule): tasks.removeValue(forKey: schedule)?.cancel()
      case .answer(let number, let answer):
        completions.removeValue(forKey: number)?(
          UNNotificationContentExtensionResponseOption(answer))
      case .open(let link): open(link)
      case .performDefaultAction: extensionContext?.performNotificationDefaultAction()
      case .removeNotification:
        if let session {
          UNUserNotificationCenter.current()
            .removeDeliveredNotifications(withIdentifiers: [session.requestID])
        }
      case .play: player?.play()
      case .pause: player?.pause()
      case .reportPaused: extensionContext?.mediaPlayingPaused()
      case .record(let event): didRecord(RichContentEvent(event))
      }
    }

    private func schedule(_ schedule: TemplateInteraction.Schedule, at date: Double) {
      tasks[schedule]?.cancel()
      let wait = min(max(0, date - now), TemplateInteraction.longestWait)
      tasks[schedule] = Task { [weak self] in
        try? await Task.sleep(for: .seconds(wait))
        if !Task.isCancelled { self?.take(.fired(schedule)) }
      }
    }

    private func open(_ link: String) {
      guard let context = extensionContext, let url = URL(string: link) else {
        return take(.didOpen(false))
      }
      // The system calls it on a queue of its own, as the closure below.
      context.open(url) { @Sendable [weak self] isDone in
        Task { @MainActor [weak self] in self?.take(.didOpen(isDone)) }
      }
    }

    private func preparePlayer() {
      player?.close()
      player = nil
      templateView.playerView = nil
      guard case .media(let content)? = session?.template.content,
        let file = session?.files[content.media.id]
      else { return }
      let player = ContentPlayer(file)
      player.onEnd = { [weak self] in self?.take(.playbackStopped) }
      templateView.playerView = player.view
      self.player = player
    }
  }

  // MARK: - Showing

  extension RichContentViewController {
    private func layout() -> TemplateLayout? {
      templateView.bounds.width > 0
        ? session?.layout(
          in: TemplateEnvironment(templateView, now: now), measuring: UIKitTextMeasurer())
        : nil
    }

    private func show(slidesForward: Bool?) {
      guard let session, let layout = layout() else { return }
      templateView.show(layout, files: session.files, slidesForward: slidesForward)
      // The system takes the height, and ignores the width.
      preferredContentSize = CGSize(width: layout.size.width, height: layout.size.height)
      setButtons(layout)
    }

    private func showPage(isAnnounced: Bool) {
      guard let layout = layout() else { return }
      let isLast = lastPage == layout.pageCount - 1
      // In a ring of pages, the step from the last page to the first is forward.
      let isForward = layout.page > lastPage || (isLast && layout.page == 0 && layout.pageCount > 2)
      show(slidesForward: UIAccessibility.isReduceMotionEnabled ? nil : isForward)
      if isAnnounced, let text = layout.announcement {
        UIAccessibility.post(notification: .announcement, argument: text)
      }
    }

    private func setButtons(_ layout: TemplateLayout) {
      guard let context = extensionContext, let session else { return }
      let actions = registeredActions(of: session.category, context)
      let buttons = layout.buttons(of: session.template, registered: actions.map(\.identifier))
      context.notificationActions = buttons.compactMap { button in
        switch button {
        case .registered(let id): actions.first { $0.identifier == id }
        case .named(let id, let title):
          UNNotificationAction(identifier: id, title: title, options: [])
        }
      }
    }

    /// Returns the buttons of a category: those that the system shows for the first notification, or none for a later one
    /// with another category, whose registered buttons are shown once they are read.
    private func registeredActions(
      of category: String, _ context: NSExtensionContext
    ) -> [UNNotificationAction] {
      if let registered, registered.category == category { return registered.actions }
      let isFirst = registered == nil
      let actions = isFirst ? context.notificationActions : []
      registered = (category, actions)
      if !isFirst {
        UNUserNotificationCenter.current().getNotificationCategories {
          @Sendable [weak self] categories in
          // The objects are constants that were made for this call.
          nonisolated(unsafe) let read = categories.first { $0.identifier == category }?.actions
          Task { @MainActor [weak self] in self?.register(read ?? [], of: category) }
        }
      }
      return actions
    }

    private func register(_ actions: [UNNotificationAction], of category: String) {
      guard registered?.category == category else { return }
      registered = (category, actions)
      show(slidesForward: nil)
    }
  }

  extension UNNotificationContentExtensionResponseOption {
    init(_ answer: TemplateInteraction.Answer) {
      self =
        switch answer {
        case .doNotDismiss: .doNotDismiss
        case .dismiss: .dismiss
        case .dismissAndForward: .dismissAndForwardAction
        }
    }
  }
#endif
