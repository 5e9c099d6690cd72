import Foundation
import MediaLoading
import PushPayload
import PushStore

/// Media of payloads that lie elsewhere, fetched so that the preview can draw them.
///
/// The server asks for them, so that a page loads nothing but our own, and as a phone would: over
/// https. It asks no private address, looks at every redirect as at the first URL, and keeps what it
/// learned about a URL for some minutes.
actor RemoteMedia {
  /// What is behind a URL, by its first bytes.
  struct Medium: Sendable {
    var family: MediaType.Family
    /// A picture's file; of the rest a card draws nothing.
    var file: String?
  }

  private struct Entry {
    var fetch: Task<Medium?, Never>
    var at: Timestamp
  }

  /// For how long an answer is good.
  static let life = Duration.seconds(300)
  /// How long one medium may take, all redirects together.
  static let patience = Duration.seconds(5)
  static let mostRedirects = 5
  /// More URLs than a few people look at in that time.
  static let mostEntries = 32
  /// No payload has a longer one.
  static let longestURL = 4096

  private let folder: String
  private let makeLoader: @Sendable () -> any MediaLoader
  private lazy var loader = makeLoader()
  private let clock: ServerClock
  private var entries: [String: Entry] = [:]
  private var count = 0

  init(
    folder: String, clock: ServerClock, loader: @escaping @Sendable () -> any MediaLoader
  ) {
    self.folder = folder
    self.clock = clock
    makeLoader = loader
    // Of an earlier run.
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// What is behind a URL; `nil` where it cannot be had.
  func medium(of url: String) async -> Medium? {
    let now = clock.now()
    if let entry = entries[url], now.since(entry.at) < Self.life { return await entry.fetch.value }
    guard url.utf8.count <= Self.longestURL, let first = URL(string: url) else { return nil }
    forget(url)
    if entries.count >= Self.mostEntries,
      let oldest = entries.min(by: { $0.value.at < $1.value.at })
    {
      forget(oldest.key)
    }
    count += 1
    let file = "\(folder)/\(count)"
    let fetch = Task { await self.fetch(first, into: file) }
    entries[url] = Entry(fetch: fetch, at: now)
    return await fetch.value
  }

  private func forget(_ url: String) {
    guard let entry = entries.removeValue(forKey: url) else { return }
    Task {
      guard let file = await entry.fetch.value?.file else { return }
      try? FileManager.default.removeItem(atPath: file)
    }
  }

  private func fetch(_ first: URL, into file: String) async -> Medium? {
    var fetch = RemoteFetch(first)
    let deadline = clock.now() + Self.patience
    while let url = fetch.next {
      switch fetch.on(await answer(to: url, until: deadline)) {
      case .follow: continue
      case .nothing: return nil
      case .kind(let family): return Medium(family: family, file: nil)
      case .picture(let bytes):
        do {
          try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
          try Data(bytes).write(to: URL(filePath: file))
        } catch {
          return nil
        }
        return Medium(family: .image, file: file)
      }
    }
    return nil
  }

  private func answer(to url: URL, until deadline: Timestamp) async -> RemoteFetch.Answer {
    let request = MediaRequest(url: url, allowsPrivateAddress: false)
    guard request.refusal == nil else { return RemoteFetch.Answer() }
    let sink = RemoteAnswer()
    let load = loader.load(request, into: sink)
    let (clock, rest) = (clock, deadline.since(clock.now()))
    let watch = Task {
      try await clock.sleep(max(rest, .zero))
      load.cancel()
    }
    defer { watch.cancel() }
    return await sink.value()
  }
}
