import Foundation
import Testing
import os.log
import os.signpost

// The code is our own, in the forms of published code: `import os.log` as in Rectangle's LaunchOnLogin.swift and
// ACClient.swift, a file's private logger, and signposts around a download.

private let logger = Logger(
  subsystem: Bundle.main.bundleIdentifier ?? "NotificationService", category: "push")
private let log = OSLog(subsystem: "com.example.app", category: .pointsOfInterest)

private final class Service {
  let identifier = "id"

  func receive(_ userInfo: [AnyHashable: Any], error: (any Error)? = nil) -> String {
    logger.info("didReceive requestIdentifier=\(self.identifier, privacy: .public)")
    logger.debug("userInfo: \(userInfo, privacy: .private) \(String(describing: error))")
    os_signpost(.begin, log: log, name: "download", "%{public}s", identifier)
    defer { os_signpost(.end, log: log, name: "download") }
    if let error { os_log("failed: %{public}@", log: log, type: .error, error as NSError) }
    os_log(.debug, log: log, "done in %.1f s", 1.5)
    let signposter = OSSignposter(subsystem: "com.example.app", category: .pointsOfInterest)
    let state = signposter.beginInterval("decode", id: signposter.makeSignpostID())
    defer { signposter.endInterval("decode", state, "of \(self.identifier)") }
    return signposter.withIntervalSignpost("text") { identifier }
  }
}

@Suite("Code of published extensions with os")
struct PublishedLogTests {
  @Test("loggers, os_log and signposts of a service extension run")
  func run() {
    let error = NSError(domain: "a", code: 1)
    #expect(Service().receive(["aps": ["alert": "Hi"]], error: error) == "id")
  }
}
