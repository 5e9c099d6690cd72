import Dispatch
import Foundation
package import NotificationCards
import Synchronization
import _Spawn

/// Draws cards in a child process, because the pictures may come from strangers.
///
/// The child has no network and none of this process's memory, reads the folders that it is given and the fonts,
/// and is limited in processor time and memory. A picture on which it fails is drawn as an empty tile. Cards are
/// drawn one after the other, on a thread outside of the cooperative pool.
package final class CardProcess: Sendable {
  /// The most pictures that are remembered because the child failed on them.
  static let maximumRefused = 256
  /// The time after which a child that does not answer is killed; its processor time ends long before.
  private static let timeLimit = DispatchTimeInterval.seconds(60)
  /// The variables that Pango, fontconfig, GdkPixbuf and the dynamic linker read.
  private static let variables: Set<String> = [
    "FONTCONFIG_FILE", "FONTCONFIG_PATH", "GDK_PIXBUF_MODULE_FILE", "HOME", "LANG", "LC_ALL",
    "LD_LIBRARY_PATH", "PATH", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
  ]

  private struct State {
    var child: ConnectedProcess?
    var waiting = 0
    /// The pictures on which a child failed, the oldest first.
    var refused: [FileStamp] = []
  }

  private let program: [String]
  private let folders: [String]
  private let maximumWaiting: Int
  private let log: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "martlet.cards")
  private let state = Mutex(State())

  /// Makes a drawer of cards, which starts its process with the first card.
  ///
  /// - Parameters:
  ///   - program: The command line of the program that draws, without the folders.
  ///   - folders: The folders of the pictures.
  ///   - maximumWaiting: The most cards that may wait; a further one throws ``CardError/Code/busy``.
  ///   - log: Called with a line for each process that ended.
  package init(
    program: [String] = installed, reading folders: [String], maximumWaiting: Int = 32,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.program = program
    self.folders = folders
    self.maximumWaiting = maximumWaiting
    self.log = log
  }

  deinit {
    guard let child = state.withLock({ $0.child }) else { return }
    child.kill()
    _ = child.wait()
  }

  /// Draws the views of a card one above the other on a wallpaper, as a PNG; the pages of a template side by side.
  package func png(
    _ card: NotificationCard, _ views: [NotificationCard.View], style: CardStyle
  ) async throws(CardError) -> [UInt8] {
    try await onQueue { [self] () throws(CardError) in
      try draw(card) { .draw($0, views: views, style: style, isJPEG: false) }
    }
  }

  /// Draws as ``png(_:_:style:)`` does, and blocks the calling thread, for callers that cannot suspend.
  package func blockingPNG(
    _ card: NotificationCard, _ views: [NotificationCard.View], style: CardStyle
  ) throws(CardError) -> [UInt8] {
    try queue.sync {
      Result { () throws(CardError) in
        try draw(card) { .draw($0, views: views, style: style, isJPEG: false) }
      }
    }.get()
  }

  /// Draws the views as ``png(_:_:style:)`` does, as a JPEG, which takes a twentieth of the time and a quarter of the bytes.
  package func jpeg(
    _ card: NotificationCard, _ views: [NotificationCard.View], style: CardStyle
  ) async throws(CardError) -> [UInt8] {
    try await onQueue { [self] () throws(CardError) in
      try draw(card) { .draw($0, views: views, style: style, isJPEG: true) }
    }
  }

  /// The height of a template's view in points on a phone of 393, as it is drawn.
  package func height(of template: ExpandedTemplate) async throws(CardError) -> Double {
    try await onQueue { [self] () throws(CardError) in
      guard case .height(let height)? = try ask(.height(template)) else { throw Self.ended }
      return height
    }
  }

  /// Checks whether the content of a picture file is damaged, so that it cannot be drawn.
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: Whether it is damaged; `false` if the file is too large to be decoded, `true` if the child ended on it.
  /// - Throws: ``CardError`` if the child cannot be started.
  package func isDamaged(picture path: String) async throws(CardError) -> Bool {
    try await onQueue { [self] () throws(CardError) in
      guard case .isDamaged(let isDamaged)? = try ask(.isDamaged(path: path)) else { return true }
      return isDamaged
    }
  }

  private func onQueue<Answer: Sendable>(
    _ work: @escaping @Sendable () throws(CardError) -> Answer
  ) async throws(CardError) -> Answer {
    let isFull = state.withLock { state in
      if state.waiting < maximumWaiting { state.waiting += 1 } else { return true }
      return false
    }
    if isFull { throw CardError(code: .busy, message: "too many pictures are being drawn") }
    let result = await withCheckedContinuation { continuation in
      queue.async { [self] in
        let result = Result { () throws(CardError) in try work() }
        state.withLock { $0.waiting -= 1 }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  // MARK: On the queue

  private static let ended = CardError(
    code: .processFailed,
    message: "the process that draws pictures ended; its line on standard error says why")

  /// Draws a card; if the child fails on its pictures, the card is drawn once more without them.
  private func draw(
    _ card: NotificationCard, _ order: (NotificationCard) -> CardOrder
  ) throws(CardError) -> [UInt8] {
    for _ in 0..<2 {
      let card = withoutRefused(card)
      switch try ask(order(card)) {
      case .picture(let picture)?: return picture
      case .error(let error)?: throw error
      case .height?, .isDamaged?, nil: refuse(card)
      }
    }
    throw Self.ended
  }

  /// The child's answer; `nil` if the child ended instead.
  private func ask(_ order: CardOrder) throws(CardError) -> CardAnswer? {
    let child = try runningChild()
    guard let frame = order.bytes else { return nil }
    let timer = DispatchWorkItem { child.kill() }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.timeLimit, execute: timer)
    defer { timer.cancel() }
    if child.channel.send(frame), let reply = child.channel.receive(),
      let answer = CardAnswer(reply)
    {
      return answer
    }
    child.kill()
    let ending = child.wait()
    state.withLock { $0.child = nil }
    log("the process that draws pictures ended: \(Self.reason(ending))")
    return nil
  }

  private func runningChild() throws(CardError) -> ConnectedProcess {
    if let child = state.withLock({ $0.child }) { return child }
    do throws(SpawnError) {
      // A folder that is made later could not be read.
      for folder in folders {
        try? FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      }
      let child = try ConnectedProcess(
        program[0], program.dropFirst() + folders, inheriting: Self.variables)
      state.withLock { $0.child = child }
      return child
    } catch {
      throw CardError(code: .processFailed, message: error.message)
    }
  }

  private static func reason(_ ending: ConnectedProcess.Ending) -> String {
    switch ending {
    case .exited(let code): "exit code \(code)"
    case .killed(SIGXCPU): "a picture took more than \(CardOrder.processorSeconds) s to decode"
    case .killed(let signal): "signal \(signal), on a picture or for lack of memory"
    }
  }

  // MARK: Refused pictures

  private func refuse(_ card: NotificationCard) {
    let paths =
      card.attachments.flatMap { [$0.path, $0.posterPath ?? ""] }
      + (card.template.map { Array($0.files.values) + $0.posters.values } ?? [])
    let stamps = Set(paths.compactMap { FileStamp($0) })
    state.withLock { state in
      state.refused += stamps
      state.refused.removeFirst(max(0, state.refused.count - Self.maximumRefused))
    }
  }

  private func withoutRefused(_ card: NotificationCard) -> NotificationCard {
    let refused = state.withLock(\.refused)
    func isRefused(_ path: String) -> Bool { FileStamp(path).map(refused.contains) ?? false }
    var card = card
    for index in card.attachments.indices {
      if isRefused(card.attachments[index].path) { card.attachments[index].path = "" }
      if isRefused(card.attachments[index].posterPath ?? "") {
        card.attachments[index].posterPath = nil
      }
    }
    if var template = card.template {
      template.files = template.files.mapValues { isRefused($0) ? "" : $0 }
      template.posters = template.posters.filter { !isRefused($0.value) }
      card.template = template
    }
    return card
  }
}
