import AppFixture
import Foundation
import NotificationHost
import NotificationHostTesting
import Testing
import UserNotifications

/// What published extensions do with a session, in our own words.
@Suite("Sessions of published extensions", .timeLimit(.minutes(10)))
struct PublishedSessionTests {
  private static let picture = "https://cdn/media/7"

  private static var responses: [String: ScriptedNetwork.Response] {
    var picture = ScriptedNetwork.Response(body: .onePixelPNG)
    picture.mimeType = "image/png"
    return [Self.picture: picture, "https://api/receipts": .text("ok")]
  }

  /// The extension is the delegate of its downloads, and names the file by the response.
  ///
  /// Source: mobgen/halo-notifications-ios, `HaloNotificationServiceExtension`.
  final class OwnDelegate: UNNotificationServiceExtension, URLSessionDownloadDelegate,
    @unchecked Sendable
  {
    // `@unchecked Sendable`: the properties are set before the task starts.
    private var handler: ((UNNotificationContent) -> Void)?
    private var content: UNMutableNotificationContent?

    override func didReceive(
      _ request: UNNotificationRequest,
      withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
      handler = contentHandler
      content = request.content.mutableCopy() as? UNMutableNotificationContent
      guard let url = (request.content.userInfo["image"] as? String).flatMap(URL.init) else {
        return contentHandler(request.content)
      }
      let session = URLSession(
        configuration: .default, delegate: self, delegateQueue: OperationQueue.main)
      session.downloadTask(with: url).resume()
      session.finishTasksAndInvalidate()
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask,
      didFinishDownloadingTo location: URL
    ) {
      guard let content, let name = downloadTask.response?.suggestedFilename else { return }
      let file = FileManager.default.temporaryDirectory.appending(path: name)
      try? FileManager.default.moveItem(at: location, to: file)
      if let attachment = try? UNNotificationAttachment(identifier: name, url: file) {
        content.attachments = [attachment]
      }
      handler?(content)
    }
  }

  @Test("an extension that is its own download delegate attaches the picture")
  func ownDelegate() async throws {
    let phone = try TestPhone(Self.responses) { OwnDelegate() }
    let report = try await phone.deliver(
      #"{"aps": {"alert": "Hi", "mutable-content": 1}, "image": "https://cdn/media/7"}"#)
    report.expect(.displayed, body: "Hi", attachments: ["public.png"])
    #expect(report.attachments.first?.identifier == "7.png")
  }

  /// The class of the app that reports receipts over a background session of the app group.
  ///
  /// Source: mattermost-mobile, `UploadSession` and `createBackroundSession(id:delegateQueue:)`.
  final class ReceiptSession: NSObject, URLSessionDataDelegate, Sendable {
    let ended: @Sendable (String) -> Void

    init(ended: @escaping @Sendable (String) -> Void) { self.ended = ended }

    func report(_ identifier: String, group: String?) {
      let configuration = URLSessionConfiguration.background(withIdentifier: "receipts")
      configuration.sharedContainerIdentifier = group
      configuration.waitsForConnectivity = true
      configuration.httpAdditionalHeaders = ["X-Requested-With": "XMLHttpRequest"]
      configuration.httpMaximumConnectionsPerHost = 10
      let session = URLSession(
        configuration: configuration, delegate: self, delegateQueue: OperationQueue())
      var request = SessionExtension.request("https://api/receipts", method: "POST")
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = Data(#"{"id":"\#(identifier)"}"#.utf8)
      session.dataTask(with: request).resume()
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) { ended(SessionExtension.describe(error)) }
  }

  @Test(
    "a background session needs a shared container",
    arguments: [("group.app", "no error"), (nil, "error -995")])
  func background(group: String?, result: String) async throws {
    let report = try await SessionExtension.deliver(Self.responses) { reply in
      ReceiptSession(ended: reply).report("7", group: group)
    }
    report.expect(.displayed, body: result)
    let body = report.requests.first?.body.map { String(decoding: $0, as: UTF8.self) }
    #expect(body == (group == nil ? nil : #"{"id":"7"}"#))
    #expect(
      report.requests.first?.headers["X-Requested-With"] == (group == nil ? nil : "XMLHttpRequest")
    )
  }

  /// A stub of a published test suite, which answers in place of the network.
  ///
  /// Source: paypal/paypal-ios, `URLSession+Extension.swift`, and auth0/ui-components-ios, `MockURLProtocol.swift`.
  final class Stub: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
      request.url?.host() == "stub"
    }

    override func startLoading() {
      guard let url = request.url else { return }
      switch url.path() {
      case "/fails": client?.urlProtocol(self, didFailWithError: URLError(.cannotFindHost))
      case "/moved":
        guard let response = response(302) else { return }
        client?.urlProtocol(
          self, wasRedirectedTo: SessionExtension.request("https://stub/end"),
          redirectResponse: response)
      default:
        guard let response = response(201) else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        let isStream = request.httpBody == nil && request.httpBodyStream != nil
        client?.urlProtocol(self, didLoad: Data("\(url.path()) \(isStream)".utf8))
        client?.urlProtocolDidFinishLoading(self)
      }
    }

    private func response(_ status: Int) -> HTTPURLResponse? {
      request.url.flatMap {
        HTTPURLResponse(url: $0, statusCode: status, httpVersion: nil, headerFields: nil)
      }
    }
  }

  @Test(
    "a URLProtocol answers in place of the network",
    arguments: [
      ("https://stub/a", "/a true 201"), ("https://stub/moved", "/end false 201"),
      ("https://stub/fails", "error -1003"), ("https://api/receipts", "ok 200"),
    ])
  func urlProtocol(url: String, body: String) async throws {
    let report = try await SessionExtension.deliver(Self.responses) {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.protocolClasses = [Stub.self]
      let (data, response) = try await URLSession(configuration: configuration).data(
        for: SessionExtension.request(url, method: "POST", body: "body"))
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      return "\(String(decoding: data, as: UTF8.self)) \(status)"
    }
    report.expect(.displayed, body: body)
    #expect(report.requests.count == (url.contains("api") ? 1 : 0))
  }

  @Test(
    "a class of an app in Swift 5 is the delegate of its transfers",
    arguments: [
      ("download https://cdn/media/7", "moved 7.png"),
      ("download https://cdn/none", "NSURLErrorDomain -1009"),
      ("upload https://api/receipts", "200 no error, ok"),
      ("upload https://api/none", "NSURLErrorDomain -1009"),
    ])
  func transfer(job: String, result: String) async throws {
    let report = try await SessionExtension.deliver(Self.responses) { reply in
      let parts = job.split(separator: " ")
      let transfer = Transfer { reply($0) }
      guard let url = URL(string: String(parts[1])) else { return }
      if parts[0] == "upload" {
        try? transfer.upload(["id": 7], to: url)
      } else {
        transfer.download(url)
      }
    }
    report.expect(.displayed, body: result)
  }

  @Test("a request of an extension process is in the report, with its body")
  func process() async throws {
    let phone = IsolatedPhone()
    let report = try await phone.deliver(
      #""fault":"post""#,
      answers: [
        "https://api/start": .redirect(307, to: "https://api/receipts"),
        "https://api/receipts": .text("thanks"),
      ])
    #expect(report.content?.title == "thanks")
    #expect(report.requests.map(\.method) == ["POST", "POST"])
    #expect(report.requests.map(\.body) == [Data("receipt".utf8), Data("receipt".utf8)])
  }
}
