import BenchmarkSample
import Foundation
import NotificationTemplates
import PushPayload
import RichNotifications
import UserNotifications
import _Curl
import _HTTPServer

/// The process `file-server FOLDER`: serves the folder's files over HTTPS, prints its port, and runs until its standard
/// input ends.
func fileServer(_ arguments: [String]) async throws {
  let folder = arguments[0]
  var configuration = HTTPServer.Configuration()
  configuration.tls = (
    try String(contentsOfFile: folder + "/server.pem", encoding: .utf8),
    try String(contentsOfFile: folder + "/server.key", encoding: .utf8)
  )
  let server = try HTTPServer(configuration) { request in
    HTTPResponse(status: 200, body: .file(folder + request.path))
  }
  printLine("\(server.port)")
  while readLine() != nil {}
  await server.stop()
}

/// The extension of an app with an app group, with the libcurl loader.
final class PreparingService: RichNotificationService {
  nonisolated(unsafe) static var caFile = ""
  nonisolated(unsafe) static var group = URL(filePath: "/")

  /// The server is on this machine.
  override var configuration: RichConfiguration {
    var configuration = RichConfiguration()
    configuration.media.allowsPrivateAddresses = true
    return configuration
  }

  /// A new loader for each notification, so that no connection stays open: curl's process has none either.
  override var environment: RichEnvironment {
    var environment = RichEnvironment(loader: CurlMediaLoader(caFile: Self.caFile))
    environment.appGroupFolder = Self.group
    return environment
  }
}

/// The process `pages CA-FILE FOLDER`: for each line of URLs on standard input runs the extension with a carousel of
/// these pages until its handler is called, and prints the seconds, the processor time and the bytes that are prepared.
func pagesClient(_ arguments: [String]) throws {
  PreparingService.caFile = arguments[0]
  PreparingService.group = URL(filePath: arguments[1], directoryHint: .isDirectory)
  while let line = readLine() {
    let pages = line.split(separator: " ").map { url -> JSONValue in
      ["media": ["url": .string(String(url))]]
    }
    let payload: JSONValue = [
      "aps": ["alert": ["title": "Title"], "category": "expanded", "mutable-content": 1],
      "_martlet": ["template": ["kind": "carousel", "pages": .array(pages)]],
    ]
    let content = UNMutableNotificationContent()
    content.title = "Title"
    content.categoryIdentifier = "expanded"
    content.userInfo = payload.userInfo
    let request = UNNotificationRequest(identifier: "1", content: content, trigger: nil)
    let used = processorTime(RUSAGE_SELF)
    let start = ContinuousClock.now
    let service = PreparingService()
    let finished = DispatchSemaphore(value: 0)
    service.didReceive(request) { _ in finished.signal() }
    finished.wait()
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    let processor = processorTime(RUSAGE_SELF) - used
    let bytes = preparedBytes(of: payload)
    try? FileManager.default.removeItem(at: PreparingService.group)
    printLine("\(elapsed) \(processor) \(bytes)")
  }
}

/// The bytes that a content extension finds.
private func preparedBytes(of payload: JSONValue) -> Int64 {
  guard let template = TemplateTable.standard.read(payload, delivered: 0).template else { return 0 }
  let files = AppGroupFiles(container: PreparingService.group)
  let prepared = PreparedTemplate(template, request: "1", in: files)
  return prepared.files.values.reduce(0) { $0 + (files.size(of: $1) ?? 0) }
}
