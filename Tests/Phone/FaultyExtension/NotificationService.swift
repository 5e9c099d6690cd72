import Foundation
import Glibc
import MediaLoading
import RichNotifications
@_spi(Host) import UserNotifications

/// An extension with the fault that the payload's `fault` names.
final class NotificationService: RichNotificationService, @unchecked Sendable {
  // `@unchecked Sendable`: set in `didReceive`, and read when the host warns, which is after it.
  private var kept: ((UNNotificationContent) -> Void)?

  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    let size = request.content.userInfo["size"] as? Int ?? 100
    switch request.content.userInfo["fault"] as? String {
    case "never": kept = contentHandler
    case "twice":
      for title in ["first", "second"] { contentHandler(titled(title, request)) }
    case "allocate":
      let memory = [UInt8](repeating: 1, count: size << 20)
      withExtendedLifetime(memory) {
        // Blocks forever, so that only the memory limit ends the process.
        if request.content.userInfo["holds"] != nil { DispatchSemaphore(value: 0).wait() }
        contentHandler(titled("\(size) MiB", request))
      }
    case "timers":
      for _ in 0..<size { _ = environment.clock.schedule(after: .seconds(3600)) {} }
      contentHandler(titled("\(size) timers", request))
    case "loads":
      guard let url = URL(string: "https://a/stalls") else { return }
      for _ in 0..<size {
        _ = environment.loader.load(MediaRequest(url: url), into: IgnoringSink())
      }
      contentHandler(titled("\(size) loads", request))
    case "large-reply":
      let content = titled("\(size) MiB", request)
      content.userInfo["text"] = String(repeating: "x", count: size << 20)
      contentHandler(content)
    case "trap": (request.content.userInfo["missing"] as! String?)!.forEach { print($0) }
    case "abort": abort()
    case "exit": exit(Int32(size))
    case "block": DispatchSemaphore(value: 0).wait()
    case "reply-and-block":
      contentHandler(titled("replied", request))
      DispatchSemaphore(value: 0).wait()
    case "print":
      print("on standard output")
      contentHandler(titled("printed", request))
    case "post":
      guard let url = URL(string: "https://api/start") else { return }
      var post = URLRequest(url: url)
      (post.httpMethod, post.httpBody) = ("POST", Data("receipt".utf8))
      // `unsafe`: only the handler of the task uses them from now on.
      nonisolated(unsafe) let (content, reply) = (titled("", request), contentHandler)
      URLSession.shared.dataTask(with: post) { data, _, _ in
        content.title = data.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
        reply(content)
      }.resume()
    case "not-modelled":
      for number in 0..<size {
        notModelled("Limit \(number / 2)", String(repeating: "x", count: 600))
      }
      contentHandler(titled("\(size) limits", request))
    case "temporary":
      contentHandler(titled(NSTemporaryDirectory(), request))
    case "overwrite":
      let file = environment.temporaryDirectory.appending(path: "picture.png")
      let content = titled("attached", request)
      content.attachments = [try! UNNotificationAttachment(identifier: "a", url: file)]
      contentHandler(content)
      try! Data([1]).write(to: file)
    default: super.didReceive(request, withContentHandler: contentHandler)
    }
  }

  /// A sink that ignores the response.
  private final class IgnoringSink: MediaSink {
    func receive(_ head: MediaResponseHead) -> MediaLoadDisposition { .proceed }
    func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition { .proceed }
    func finish(_ error: MediaLoadError?) {}
  }

  private func titled(
    _ title: String, _ request: UNNotificationRequest
  ) -> UNMutableNotificationContent {
    let content = request.content.mutableCopy() as! UNMutableNotificationContent
    content.title = title
    return content
  }
}
