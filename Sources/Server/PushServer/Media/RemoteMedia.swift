import Foundation
import MediaLoading
import NotificationPreview
import PushModel
import PushPayload

/// A cache of other servers' answers to requests for media, for previews.
///
/// The server fetches media itself, so that a page loads only from this server. It fetches over `https:`
/// and never from a private address. A redirect is an answer like any other, so that each hop passes the
/// same checks. An answer is reused for five minutes.
actor RemoteMedia {
  private struct Entry {
    var answer: PendingAnswer
    var at: Timestamp
  }

  /// The time for which an answer is reused.
  static let life = Duration.seconds(300)
  /// The time within which a server must answer.
  static let timeLimit = Duration.seconds(5)
  /// The most answers in the cache, which suffice for the previews of a few people.
  static let maximumEntries = 64
  /// The most bytes of a URL; no payload has a longer one.
  static let maximumURLLength = 4096

  private let folder: String
  private let makeLoader: @Sendable () -> any MediaLoader
  private lazy var loader = makeLoader()
  private let clock: ServerClock
  private var entries: [String: Entry] = [:]
  private var count = 0

  /// Makes a cache with files in `folder`, from which the files of an earlier run are removed.
  init(
    folder: String, clock: ServerClock, loader: @escaping @Sendable () -> any MediaLoader
  ) {
    self.folder = folder
    self.clock = clock
    makeLoader = loader
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The answer to a request, which is fetched if the cache does not have it.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - deadline: The time at which waiting ends. The fetch continues for later previews.
  /// - Returns: The answer; ``MediaAnswer/loading`` if it did not arrive by the deadline.
  func answer(to url: URL, until deadline: Timestamp) async -> MediaAnswer {
    let request = MediaRequest(url: url, allowsPrivateAddress: false)
    if let refusal = request.refusal { return .failure(refusal) }
    guard url.scheme?.lowercased() == "https",
      url.absoluteString.utf8.count <= Self.maximumURLLength
    else { return .failure(MediaLoadError(.unsupportedURL, "not an https URL of up to 4 KB")) }
    let now = clock.now()
    let answer = entry(for: request, at: now).answer
    return await answer.value(within: deadline.since(now)) ?? .loading
  }

  private func entry(for request: MediaRequest, at now: Timestamp) -> Entry {
    let key = request.url.absoluteString
    if let entry = entries[key], now.since(entry.at) < Self.life { return entry }
    remove(key)
    if entries.count >= Self.maximumEntries,
      let oldest = entries.min(by: { $0.value.at < $1.value.at })
    {
      remove(oldest.key)
    }
    count += 1
    let file = "\(folder)/\(count)"
    let entry = Entry(answer: PendingAnswer(clock: clock), at: now)
    Task { entry.answer.fulfill(await self.fetch(request, into: file)) }
    entries[key] = entry
    return entry
  }

  private func remove(_ key: String) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    Task {
      let answer = await entry.answer.value(within: Self.timeLimit * 2)
      guard case .response(_, let body?)? = answer else { return }
      try? FileManager.default.removeItem(atPath: body.file)
    }
  }

  private func fetch(_ request: MediaRequest, into file: String) async -> MediaAnswer {
    let sink = RemoteMediaSink()
    let load = loader.load(request, into: sink)
    let clock = clock
    let timer = Task {
      try await clock.sleep(Self.timeLimit)
      load.cancel()
    }
    defer { timer.cancel() }
    let answer = await sink.value()
    if let error = answer.error {
      // Only the timer cancels the load.
      return error.code == .canceled ? .silent : .failure(error)
    }
    guard let head = answer.replayedHead else {
      return .failure(MediaLoadError(.network, "the server did not answer"))
    }
    guard !answer.bytes.isEmpty else { return .response(head, body: nil) }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data(answer.bytes).write(to: URL(filePath: file))
    } catch {
      return .failure(MediaLoadError(.network, "the server cannot keep the file", cause: error))
    }
    return .response(head, body: .init(file: file, isWhole: answer.isWhole))
  }
}
