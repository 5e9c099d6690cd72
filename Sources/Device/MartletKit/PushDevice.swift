import Foundation
import PushPayload

/// This device at a Martlet server: its registration, its user, its events, and the taps on its notifications.
///
/// ```swift
/// let push = PushDevice(
///   PushSettings(server: serverURL, key: deviceKey, folder: appGroupFolder))
/// await push.start()
/// ```
///
/// The app's calls change a record on disk of the values that the server must have. Soon after a change, one request sends all
/// values that the server has not confirmed. It is repeated until they are confirmed, even after the app was killed. Only calls
/// that say so wait for the network.
///
/// Nothing is written and nothing is sent before ``start()``. Call it at each start of the app once the person has
/// agreed; earlier changes are kept in memory.
///
/// Several devices may be in use at a time, each with a folder of its own. An app and its extensions may use one folder.
public final class PushDevice: Sendable {
  let settings: PushSettings
  let environment: PushEnvironment
  let files: DeviceFiles
  let requests: RequestBuilder
  let loop: SendLoop
  let board: StatusBoard
  let inboxBoard: InboxBoard
  let memory: ChangeMemory
  let box: OpeningBox
  private let timer = Locked(Timer())

  /// The planned run of the loop.
  private struct Timer {
    var isStarted = false
    var due: Int64?
    var task: Task<Void, Never>?
    /// Whether the next run is one after the app came to the foreground.
    var ignoresWait = false
    /// The time at which the last opening of the app was counted.
    var openedAt: Int64?
  }

  /// Within how many milliseconds the app comes to the foreground without being opened again.
  static let openingGap: Int64 = 60_000
  /// The time for which changes are collected before they are sent, in milliseconds.
  static let collectingTime: Int64 = 1000
  /// The days after which everything is sent again, in case the server has lost something.
  static let daysUntilRefresh: Int64 = 7

  /// Creates a device without reading, writing or sending anything.
  ///
  /// - Parameters:
  ///   - settings: The server, the app's key and the folder.
  ///   - transport: The transport that sends the requests; tests pass their own.
  public convenience init(
    _ settings: PushSettings, transport: any PushTransport = URLSessionTransport()
  ) {
    self.init(settings, environment: .system(settings, transport: transport))
  }

  package init(_ settings: PushSettings, environment: PushEnvironment) {
    self.settings = settings
    self.environment = environment
    let log = settings.log ?? { _ in }
    let files = DeviceFiles(environment.storage)
    let requests = RequestBuilder(settings)
    let board = StatusBoard()
    let memory = ChangeMemory(files)
    let inboxBoard = InboxBoard(files)
    let box = OpeningBox(
      load: { memory.loadOpenings() },
      taken: { opening in memory.forget(opening) })
    memory.attach(box)
    self.files = files
    self.requests = requests
    self.board = board
    self.inboxBoard = inboxBoard
    self.memory = memory
    self.box = box
    let sender = Sender(role: environment.role, session: environment.randomID())
    loop = SendLoop(
      Outbox(
        files: files, requests: requests, sender: sender, environment: environment,
        inbox: inboxBoard), log: log,
      flush: { try memory.flush() },
      isStartWaiting: { memory.isStartWaiting },
      publish: { state, problem in
        board.publish(state, problem, refused: ((try? files.record()) ?? nil)?.refusals)
        inboxBoard.refresh()
      })
  }

  // MARK: Life

  /// Registers this device, or continues with the stored one.
  ///
  /// Call it at each start of the app, once the person has agreed that the server may know the device. It counts as an opening
  /// of the app. It returns when the record is on disk; requests are sent afterwards. Files cannot be read before the phone's
  /// first unlock: the state is then ``PushStatus/State/waitingForStorage``, and a later ``activate()`` continues with the
  /// stored device.
  ///
  /// After ``stop()`` it continues with the same device; after ``erase()`` it creates a new one. While an erasure waits for the
  /// network, it sends that, and creates the new device once the server has confirmed it; until then changes are kept in
  /// memory. If the server has erased the device, it does nothing: see ``startOver()``.
  public func start() async {
    timer.withLock { $0.isStarted = true }
    await begin { [environment] in
      DeviceRecord(id: environment.randomID(), secret: environment.randomSecret())
    }
  }

  /// Begins as a new device after the server has erased this one, or if the state is ``PushStatus/State/damaged``.
  ///
  /// The person may have asked for the erasure, so ask again before you call this.
  public func startOver() async {
    try? files.removeDamaged()
    try? files.change { record in
      if record?.phase == .erased { record = nil }
    }
    await start()
  }

  /// Reports that the app came to the foreground, and repeats requests that failed.
  ///
  /// Call it when a scene becomes active. It counts as an opening of the app, and looks for changes of the language, the time
  /// zone and, with UserNotifications, the permission. Without a ``start()`` before, or after ``stop()`` or ``erase()``, it does
  /// nothing.
  public func activate() async {
    guard timer.withLock({ $0.isStarted }) else { return }
    await begin(making: nil)
  }

  /// Ends what ``start()`` began: nothing is sent by itself any more.
  func end() {
    timer.withLock { timer in
      timer.task?.cancel()
      (timer.isStarted, timer.due, timer.task, timer.ignoresWait) = (false, nil, nil, false)
    }
  }

  /// Brings the record up to date, and sends it.
  ///
  /// - Parameter make: Makes a missing record, which only ``start()`` may do, as it alone goes on with a stopped device.
  private func begin(making make: (@Sendable () -> DeviceRecord)?) async {
    let now = environment.now()
    let system = environment.system()
    let gateway = settings.gateway ?? environment.gateway()
    let isOpening = timer.withLock { timer in
      let last = timer.openedAt
      if let last, last <= now, now - last < Self.openingGap { return false }
      timer.openedAt = now
      return true
    }
    let isStart = make != nil
    files.removeParts()
    memory.begin(making: make) { record in
      if isStart, record.phase == .stopped { record.phase = .active }
      guard record.phase == .active else { return }
      let version = record.wanted[MemberKey.appVersion]
      for (key, value) in system { record.want(key, .string(value)) }
      record.want(MemberKey.development, gateway == .development ? true : nil)
      if isOpening { record.isOpened = true }
      let age = now - (record.refreshedAt ?? .min / 2)
      let isOld = age < 0 || age >= Self.daysUntilRefresh * 86_400_000
      // A newer version may send values that an older one could not send.
      if isOld || version != record.wanted[MemberKey.appVersion] {
        record.doubtAll()
        record.refreshedAt = now
      }
    }
    board.publish(.pending)
    plan(after: 0, ignoringWait: true)
  }

  /// Sends everything that waits, and returns when that is done or cannot be done now.
  ///
  /// Call it when the system gives the app time in the background. It does not cut short the wait after a failure.
  ///
  /// - Returns: The status afterwards.
  @discardableResult
  public func synchronize() async -> PushStatus {
    guard timer.withLock({ $0.isStarted }) else { return board.status }
    await send()
    return board.status
  }

  /// The present status of the library.
  public var status: PushStatus { board.status }

  /// The status now, and each time that it changes.
  ///
  /// ```swift
  /// for await status in push.statuses {
  ///   print(status.state, status.problems)
  /// }
  /// ```
  public var statuses: AsyncStream<PushStatus> { board.stream() }

  /// The taps that the app has not taken yet, then each new one.
  public var openings: Openings { Openings(box: box) }

  /// The messages for this device's person, with the marks "read" and "hidden".
  public var inbox: Inbox { Inbox(push: self) }

  // MARK: Sending

  /// Changes the record and sends the change soon; it stays in memory as long as the files cannot be written.
  ///
  /// - Parameters:
  ///   - isOfUser: Whether the change is stored also while the device is stopped, since it is of its user.
  ///   - edit: Changes the record.
  func change(
    isOfUser: Bool = false, _ edit: @escaping @Sendable (inout DeviceRecord) -> Void
  ) {
    memory.add(isOfUser: isOfUser, edit)
    changed()
  }

  /// Schedules a request for the changes.
  func changed() {
    guard timer.withLock({ $0.isStarted }) else { return }
    if board.status.state == .upToDate { board.publish(.pending) }
    plan(after: Self.collectingTime, ignoringWait: false)
  }

  /// Plans a run of the loop, unless an earlier one is planned.
  private func plan(after delay: Int64, ignoringWait: Bool) {
    let due = environment.now() + delay
    timer.withLock { timer in
      if ignoringWait { timer.ignoresWait = true }
      // A run may end after the device was stopped.
      guard timer.isStarted, let sleep = environment.sleep else { return }
      if let planned = timer.due, planned <= due, !ignoringWait { return }
      timer.task?.cancel()
      timer.due = due
      timer.task = Task { [weak self] in
        do { try await sleep(delay) } catch { return }
        await self?.send()
      }
    }
  }

  private func send() async {
    let ignoringWait = timer.withLock { timer in
      defer { (timer.due, timer.ignoresWait) = (nil, false) }
      return timer.ignoresWait
    }
    await loop.run(ignoringWait: ignoringWait)
    if let next = await loop.nextRun {
      plan(after: max(next - environment.now(), 1), ignoringWait: false)
    }
  }

  /// Sends what waits in a process that does not start the device, such as a widget extension.
  ///
  /// Without a record, which the app makes once the person has agreed, nothing is sent.
  func sendUnlessStarted() async {
    guard !timer.withLock({ $0.isStarted }) else { return }
    await loop.run(ignoringWait: false)
  }

  /// Runs the loop now for a call that waits for its result.
  func sendNow() async { await loop.run(ignoringWait: true) }
}
