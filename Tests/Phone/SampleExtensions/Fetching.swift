import Foundation
import UserNotifications

// Extensions that fetch the payload's picture, each by one way.

/// Moves the file of a download task to the name in the URL, whatever the server answered.
class DownloadMoved: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let url = content.imageURL
    URLSession.shared.downloadTask(with: url) { location, _, _ in
      if let location {
        let name = ProcessInfo.processInfo.globallyUniqueString + url.lastPathComponent
        let file = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(name)
        try? FileManager.default.moveItem(at: location, to: file)
        content.attach(file)
      }
      reply(content)
    }.resume()
  }
}

/// Names the file of a download task as the response suggests.
///
/// The form of Danny1451/ATRNotification, with a check of the MIME type.
class DownloadWithSuggestedName: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let task = URLSession.shared.downloadTask(with: content.imageURL) { location, response, error in
      defer { reply(content) }
      guard error == nil, let location, response?.mimeType?.hasPrefix("image/") == true,
        let name = response?.suggestedFilename
      else { return }
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(name)
      try? FileManager.default.removeItem(at: file)
      guard (try? FileManager.default.moveItem(at: location, to: file)) != nil else { return }
      content.attach(file)
    }
    task.resume()
  }
}

/// Attaches the file of a download task under its temporary name.
class DownloadNotMoved: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    URLSession.shared.downloadTask(with: content.imageURL) { location, _, _ in
      if let location { content.attach(location) }
      reply(content)
    }.resume()
  }
}

/// Attaches the file of a download task with the type that the payload promises.
///
/// Apple's own sample code takes the type from elsewhere too, because the temporary file has none.
class DownloadWithTypeHint: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    URLSession.shared.downloadTask(with: content.imageURL) { location, _, _ in
      if let location {
        content.attach(
          location, options: [UNNotificationAttachmentOptionsTypeHintKey: "public.png"])
      }
      reply(content)
    }.resume()
  }
}

/// Replies half a second after the completion handler of a download task, when its file is deleted.
class DownloadRepliesLater: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    URLSession.shared.downloadTask(with: content.imageURL) { location, _, _ in
      if let location {
        content.attach(
          location, options: [UNNotificationAttachmentOptionsTypeHintKey: "public.png"])
      }
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { reply(content) }
    }.resume()
  }
}

/// Writes the bytes of a data task, whatever the server answered.
///
/// The form of yingyugang/IOSRemotePush, which is in Objective-C.
class DataTaskWritten: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let session = URLSession(configuration: .default)
    session.dataTask(with: content.imageURL) { data, _, _ in
      if let data { content.attach(data, named: "tmp.png") }
      reply(content)
    }.resume()
  }
}

/// Uses the bytes of a data task only for status 200.
class DataTaskChecksStatus: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    URLSession.shared.dataTask(with: content.imageURL) { data, response, error in
      defer { reply(content) }
      guard error == nil, let data, let http = response as? HTTPURLResponse,
        (200..<300).contains(http.statusCode)
      else { return }
      content.attach(data, named: "picture.png")
    }.resume()
  }
}

/// Takes the file's extension from the MIME type.
class DataTaskChecksType: TemplateExtension {
  private static let extensions = ["image/png": "png", "image/jpeg": "jpg", "image/gif": "gif"]

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    URLSession.shared.dataTask(with: content.imageURL) { data, response, _ in
      if let data, let type = response?.mimeType, let name = Self.extensions[type] {
        content.attach(data, named: "picture.\(name)")
      }
      reply(content)
    }.resume()
  }
}

/// Loads with `Data(contentsOf:)` in `didReceive`.
class DataContentsOf: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    if let data = try? Data(contentsOf: content.imageURL) {
      content.attach(data, named: "picture.png")
    }
    reply(content)
  }
}

/// Loads with `NSData(contentsOf:)` and writes with its method.
class NSDataContentsOf: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let file = URL(fileURLWithPath: NSTemporaryDirectory() + "picture.png")
    if let data = NSData(contentsOf: content.imageURL) {
      try? data.write(to: file, options: .atomic)
      content.attach(file)
    }
    reply(content)
  }
}

/// Loads with `Data(contentsOf:)` on a global queue.
class DataContentsOfOnQueue: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let url = content.imageURL
    DispatchQueue.global().async {
      if let data = try? Data(contentsOf: url) { content.attach(data, named: "picture.png") }
      DispatchQueue.main.async { reply(content) }
    }
  }
}

/// Takes the text from a server with `String(contentsOf:encoding:)`.
class StringContentsOf: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    if let text = try? String(contentsOf: content.messageURL, encoding: .utf8) {
      content.body = "\(text.count) characters"
    }
    reply(content)
  }
}

/// Loads with `async` methods, and throws for another status than 200.
class AsyncData: TemplateExtension {
  private struct Failure: Error {}

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    Task {
      do {
        let (data, response) = try await URLSession.shared.data(from: content.imageURL)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw Failure() }
        content.attach(data, named: "picture.png")
      } catch {
        content.body = "no picture"
      }
      reply(content)
    }
  }
}

/// Downloads with an `async` method, and swallows errors.
class AsyncDownload: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    Task {
      if let (location, _) = try? await URLSession.shared.download(from: content.imageURL) {
        let file = location.deletingPathExtension().appendingPathExtension("png")
        try? FileManager.default.moveItem(at: location, to: file)
        content.attach(file)
      }
      reply(content)
    }
  }
}

/// Wraps a data task in a continuation.
class ContinuationAroundTask: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    Task {
      let data = await load(content.imageURL)
      if let data { content.attach(data, named: "picture.png") }
      reply(content)
    }
  }

  private func load(_ url: URL) async -> Data? {
    await withCheckedContinuation { continuation in
      URLSession.shared.dataTask(with: url) { data, response, _ in
        let isThere = (response as? HTTPURLResponse)?.statusCode == 200
        continuation.resume(returning: isThere ? data : nil)
      }.resume()
    }
  }
}

/// Waits in `didReceive` for a data task.
///
/// The form of singhmanav/NotificationSample.
class SemaphoreAroundTask: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let semaphore = DispatchSemaphore(value: 0)
    URLSession.shared.dataTask(with: content.imageURL) { data, _, _ in
      if let data { content.attach(data, named: "picture.png") }
      semaphore.signal()
    }.resume()
    semaphore.wait()
    reply(content)
  }
}

/// Waits in `didReceive` for a data task, for a short time.
///
/// OneSignal's extension waits so, for 25 seconds.
class SemaphoreWithTimeout: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let semaphore = DispatchSemaphore(value: 0)
    let task = URLSession.shared.dataTask(with: content.imageURL) { data, response, _ in
      if let data, (response as? HTTPURLResponse)?.statusCode == 200 {
        content.attach(data, named: "picture.png")
      }
      semaphore.signal()
    }
    task.resume()
    _ = semaphore.wait(timeout: .now() + 2)
    reply(content)
  }
}

/// Asks for JSON first, and for the picture that it names then.
class JSONThenPicture: TemplateExtension {
  private struct Message: Decodable {
    let text: String
    let picture: URL
  }

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    URLSession.shared.dataTask(with: content.messageURL) { data, _, _ in
      guard let data, let message = try? JSONDecoder().decode(Message.self, from: data) else {
        return reply(content)
      }
      content.body = message.text
      URLSession.shared.dataTask(with: message.picture) { data, _, _ in
        if let data { content.attach(data, named: "picture.png") }
        reply(content)
      }.resume()
    }.resume()
  }
}

/// Sends a header field with the request and reads one of the response.
class RequestWithHeaders: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    var request = URLRequest(url: content.imageURL)
    request.setValue("Bearer token", forHTTPHeaderField: "Authorization")
    request.cachePolicy = .reloadIgnoringLocalCacheData
    URLSession.shared.dataTask(with: request) { data, response, _ in
      let type = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "content-type")
      if let data, type == "image/png" { content.attach(data, named: "picture.png") }
      reply(content)
    }.resume()
  }
}
