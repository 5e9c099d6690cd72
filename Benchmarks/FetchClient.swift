import Foundation
import MediaLoading
import RichNotifications
import UserNotifications
import _Curl

/// The extension as an app would write it, with the libcurl loader.
final class FetchingService: RichNotificationService {
  nonisolated(unsafe) static var caFile = ""

  /// The server is on this machine.
  override var configuration: RichConfiguration {
    var configuration = RichConfiguration()
    configuration.media.allowsPrivateAddresses = true
    return configuration
  }

  /// A new loader for each notification, so that no connection stays open: curl's process has none either.
  override var environment: RichEnvironment {
    RichEnvironment(loader: CurlMediaLoader(caFile: Self.caFile))
  }
}

/// The process `fetch CA-FILE`: for each URL on standard input runs the extension until its handler is called, and
/// prints the seconds, the processor time and the bytes of the attachment.
func fetchClient(_ arguments: [String]) async throws {
  FetchingService.caFile = arguments[0]
  while let url = readLine() {
    let content = UNMutableNotificationContent()
    content.title = "Title"
    content.userInfo = [
      "aps": ["alert": ["title": "Title"], "mutable-content": 1], "_st": ["image_url": url],
    ]
    let request = UNNotificationRequest(identifier: "1", content: content, trigger: nil)
    let used = processorTime(RUSAGE_SELF)
    let start = ContinuousClock.now
    let service = FetchingService()
    let finished = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var enriched = UNNotificationContent()
    service.didReceive(request) {
      enriched = $0
      finished.signal()
    }
    finished.wait()
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    var bytes = 0
    for attachment in enriched.attachments {
      bytes += try attachment.url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      try FileManager.default.removeItem(at: attachment.url)
    }
    printLine("\(elapsed) \(processorTime(RUSAGE_SELF) - used) \(bytes)")
  }
}

/// Prints a line and flushes it.
func printLine(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
