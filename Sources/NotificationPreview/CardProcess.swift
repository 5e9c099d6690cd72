import Dispatch
package import Foundation
import Synchronization
package import _Card
import _Spawn

/// Draws cards in a child process, which decodes pictures that strangers made.
///
/// The child has no network and none of this process's memory, reads the folders that it is given and the fonts,
/// and is limited in processor time and memory. A picture on which it fails is drawn as an empty tile. Cards are
/// drawn one after the other, on a thread outside of the cooperative pool.
package final class CardProcess: Sendable {
  /// The binary of this process.
  package static let thisProgram = URL(filePath: "/proc/self/exe")
  /// How many pictures on which the child failed are remembered.
  static let maximumRefused = 256
  /// After that time a child that does not answer is killed; its processor time ends long before.
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

  private let program: String
  private let folders: [String]
  private let maximumWaiting: Int
  private let log: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "martlet.cards")
  private let state = Mutex(State())

  /// Makes a drawer of cards, which starts its process with the first card.
  ///
  /// - Parameters:
  ///   - program: The program that calls ``serve(_:)`` for the command ``verb``: by default this binary.
  ///   - folders: The folders of the pictures.
  ///   - maximumWaiting: How many cards may wait; of further ones ``CardError/Code/busy`` is thrown.
  ///   - log: Called with a line for each process that ended.
  package init(
    program: URL = thisProgram, reading folders: [String], maximumWaiting: Int = 32,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.program = program.path(percentEncoded: false)
    self.folders = folders
    self.maximumWaiting = maximumWaiting
    self.log = log
  }

  deinit {
    guard let child = state.withLock({ $0.child }) else { return }
    child.kill()
    _ = child.wait()
  }

  /// Draws a card as ``CardRenderer/png(_:_:)`` does.
  package func png(
    _ card: NotificationCard, _ views: [NotificationCard.View], style: CardStyle
  ) async throws(CardError) -> [UInt8] {
    try await draw(CardOrder(card: card, views: views, style: style, isJPEG: false))
  }

  /// Draws a card as ``CardRenderer/jpeg(_:_:)`` does.
  package func jpeg(
    _ card: NotificationCard, _ views: [NotificationCard.View], style: CardStyle
  ) async throws(CardError) -> [UInt8] {
    try await draw(CardOrder(card: card, views: views, style: style, isJPEG: true))
  }

  private func draw(_ order: CardOrder) async throws(CardError) -> [UInt8] {
    let isFull = state.withLock { state in
      if state.waiting < maximumWaiting { state.waiting += 1 } else { return true }
      return false
    }
    if isFull { throw CardError(code: .busy, message: "too many pictures are being drawn") }
    let result = await withCheckedContinuation { continuation in
      queue.async { [self] in
        let result = Result { () throws(CardError) in try drawNow(order) }
        state.withLock { $0.waiting -= 1 }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  // MARK: On the queue

  /// Draws a card; where the child fails on its pictures, once more without them.
  private func drawNow(_ order: CardOrder) throws(CardError) -> [UInt8] {
    var order = order
    order.card = withoutRefused(order.card)
    if let answer = try ask(order) { return try answer.get() }
    refuse(order.card)
    order.card = withoutRefused(order.card)
    if let answer = try ask(order) { return try answer.get() }
    throw CardError(code: .processFailed, message: "the process that draws pictures ended")
  }

  /// The child's answer; `nil` where the child ended instead.
  private func ask(_ order: CardOrder) throws(CardError) -> Result<[UInt8], CardError>? {
    let child = try runningChild()
    guard let frame = try? JSONEncoder().encode(order) else { return nil }
    let timer = DispatchWorkItem { child.kill() }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.timeLimit, execute: timer)
    defer { timer.cancel() }
    if child.channel.send([UInt8](frame)), let reply = child.channel.receive(),
      let answer = CardReply.read(reply)
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
        program, [Self.verb] + folders, inheriting: Self.variables)
      state.withLock { $0.child = child }
      return child
    } catch {
      throw CardError(code: .processFailed, message: error.message)
    }
  }

  private static func reason(_ ending: ConnectedProcess.Ending) -> String {
    switch ending {
    case .exited(let code): "exit code \(code)"
    case .killed(SIGXCPU): "a picture took more than \(CardProcess.processorSeconds) s to decode"
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
