import Foundation
import UserNotifications

// Extensions that share a session, a queue or an object between their parts.

/// Uses a static session.
class StaticSession: TemplateExtension {
  private static let session = URLSession(configuration: .default)

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    Self.session.dataTask(with: content.imageURL) { data, _, _ in
      if let data { content.attach(data, named: "picture.png") }
      reply(content)
    }.resume()
  }
}

/// Uses a static session in a detached task.
class StaticSessionInTask: TemplateExtension {
  private static let session = URLSession(configuration: .ephemeral)

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    Task.detached {
      if let (data, _) = try? await Self.session.data(for: URLRequest(url: content.imageURL)) {
        content.attach(data, named: "picture.png")
      }
      reply(content)
    }
  }
}

/// Uses a loader that is one object for all notifications.
class SharedLoader: TemplateExtension {
  private final class Loader: @unchecked Sendable {
    static let shared = Loader()
    private let session = URLSession(configuration: .default)
    private let queue = DispatchQueue(label: "com.example.loader")

    func load(_ url: URL, completion: @escaping (Data?) -> Void) {
      queue.async { [session] in
        session.dataTask(with: url) { data, _, _ in
          self.queue.async { completion(data) }
        }.resume()
      }
    }
  }

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    Loader.shared.load(content.imageURL) { data in
      if let data { content.attach(data, named: "picture.png") }
      reply(content)
    }
  }
}

/// Uses an actor that loads.
class LoaderActor: TemplateExtension {
  private actor Loader {
    private var count = 0

    func load(_ url: URL) async throws -> Data {
      count += 1
      return try await URLSession.shared.data(from: url).0
    }
  }
  private let loader = Loader()

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    Task { [loader] in
      if let data = try? await loader.load(content.imageURL) {
        content.attach(data, named: "picture.png")
      }
      reply(content)
    }
  }
}

/// Loads in a task of the main actor.
class LoadsOnMainActor: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    Task { @MainActor in
      let data = try? await URLSession.shared.data(from: content.imageURL).0
      if let data { content.attach(data, named: "picture.png") }
      reply(content)
    }
  }
}

/// Loads in an asynchronous operation, before another one that replies.
class LoadsInOperation: TemplateExtension {
  private final class Download: Operation, @unchecked Sendable {
    private let url: URL
    private(set) var data: Data?
    private let semaphore = DispatchSemaphore(value: 0)

    init(_ url: URL) { self.url = url }

    override func main() {
      URLSession.shared.dataTask(with: url) { data, _, _ in
        self.data = data
        self.semaphore.signal()
      }.resume()
      semaphore.wait()
    }
  }
  private let queue = OperationQueue()

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let download = Download(content.imageURL)
    let end = BlockOperation {
      if let data = download.data { content.attach(data, named: "picture.png") }
      reply(content)
    }
    end.addDependency(download)
    queue.addOperations([download, end], waitUntilFinished: false)
  }
}

/// Passes the work from queue to queue.
class QueueToQueue: TemplateExtension, @unchecked Sendable {
  private let state = DispatchQueue(label: "com.example.state", attributes: .concurrent)

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    DispatchQueue.global(qos: .utility).async {
      URLSession.shared.dataTask(with: content.imageURL) { data, _, _ in
        self.state.async(flags: .barrier) {
          if let data { content.attach(data, named: "picture.png") }
          DispatchQueue.main.async { reply(content) }
        }
      }.resume()
    }
  }
}

/// Loads on a thread of its own.
class LoadsInThread: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let url = content.imageURL
    Thread.detachNewThread {
      if let data = try? Data(contentsOf: url) { content.attach(data, named: "picture.png") }
      reply(content)
    }
  }
}

/// Yields the bytes of a request to an asynchronous stream.
class LoadsByStream: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let url = content.imageURL
    let stream = AsyncStream<Data> { continuation in
      URLSession.shared.dataTask(with: url) { data, _, _ in
        if let data { continuation.yield(data) }
        continuation.finish()
      }.resume()
    }
    Task {
      for await data in stream { content.attach(data, named: "picture.png") }
      reply(content)
    }
  }
}
