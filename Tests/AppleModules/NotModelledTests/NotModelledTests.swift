import Foundation
import NotificationHost
import NotificationHostTesting
import RichNotifications
import Synchronization
import TestSupport
import Testing
import UIKit
@_spi(Host) import UserNotifications

@Suite("What the model does not do", .timeLimit(.minutes(10)))
struct NotModelledTests {
  @Test("is said", arguments: LimitCase.all.indices)
  func isSaid(index: Int) async throws {
    let limit = LimitCase.all[index]
    let folder = TemporaryFolder()
    let lines = Lines()
    var world = UNWorld()
    world.notModelled = { line in lines.all.withLock { $0.append(line) } }
    if limit.hasKeychain { world.keychain = UNKeychain(folder: folder.url, accessGroups: ["T"]) }
    try await world.run { try await limit.use(folder.url) }
    let said = lines.all.withLock { $0 }
    #expect(
      said.count == 1 && said.first?.hasPrefix("\(limit.api): ") == true, "\(limit.api): \(said)")
  }

  @Test("is in the trace of the run once, and among the reasons for missing media")
  func report() async throws {
    let phone = try TestPhone { Converter() }
    let report = try await phone.deliver(#"{"aps": {"alert": "Hello", "mutable-content": 1}}"#)
    report.expect(.displayed, body: "2 without a picture", attachments: [])
    let lines = report.trace.filter { $0.rule == "not-modelled" }.map(\.message)
    #expect(lines.count == 1 && lines.first?.hasPrefix("UIImage.pngData(): it is nil: ") == true)
    #expect(
      report.missingMediaReasons == ["the extension requested nothing from the network"] + lines)
    #expect(report.description.contains("not-modelled: UIImage.pngData()"))
  }
}

/// The lines of limits.
private final class Lines: Sendable {
  let all = Mutex<[String]>([])
}

/// An extension that converts a picture for its attachment, twice.
private final class Converter: UNNotificationServiceExtension {
  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
      return contentHandler(request.content)
    }
    let pictures = (0..<2).map { _ in UIImage(data: LimitCase.heic)?.pngData() }
    content.body = "\(pictures.filter { $0 == nil }.count) without a picture"
    contentHandler(content)
  }
}
