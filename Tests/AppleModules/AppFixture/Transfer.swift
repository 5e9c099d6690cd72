import Foundation
import UserNotifications

/// The transfer code of a typical app with a session of its own: a file of an iOS project, which must compile
/// unchanged.
public class Transfer: NSObject {
  private var received = Data()
  private var log: [String] = []
  private let completion: (String) -> Void
  private lazy var session: URLSession = {
    let configuration = URLSessionConfiguration.default
    configuration.waitsForConnectivity = false
    configuration.allowsCellularAccess = true
    configuration.httpCookieStorage = nil
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCache = URLCache(
      memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
    configuration.urlCredentialStorage = nil
    return URLSession(configuration: configuration, delegate: self, delegateQueue: .main)
  }()

  public init(completion: @escaping (String) -> Void) {
    self.completion = completion
    super.init()
  }

  public func upload(_ json: [String: Any], to url: URL) throws {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.addValue("application/json", forHTTPHeaderField: "Content-Type")
    let body = try JSONSerialization.data(withJSONObject: json)
    let task = session.uploadTask(with: request, from: body)
    task.earliestBeginDate = nil
    task.resume()
  }

  public func download(_ url: URL) {
    session.downloadTask(with: url).resume()
    session.getTasksWithCompletionHandler { _, _, downloads in
      _ = downloads.map { $0.progress.fractionCompleted }
    }
  }
}

extension Transfer: URLSessionDelegate {
  public func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let space = challenge.protectionSpace
    guard space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic, space.host == "api"
    else { return completionHandler(.performDefaultHandling, nil) }
    completionHandler(
      .useCredential, URLCredential(user: "a", password: "b", persistence: .forSession))
  }
}

extension Transfer: URLSessionDataDelegate {
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    log.append("\(status) \(HTTPURLResponse.localizedString(forStatusCode: status))")
    completionHandler(status < 400 ? .allow : .cancel)
  }

  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
  ) {
    received.append(data)
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?
  ) {
    if let error = error as NSError? {
      log.append("\(error.domain) \(error.code)")
    } else if !received.isEmpty {
      log.append(String(data: received, encoding: .utf8) ?? "")
    }
    session.invalidateAndCancel()
    completion(log.joined(separator: ", "))
  }
}

extension Transfer: URLSessionDownloadDelegate {
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL
  ) {
    let name = downloadTask.response?.suggestedFilename ?? "file"
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    try? FileManager.default.removeItem(at: file)
    do {
      try FileManager.default.moveItem(at: location, to: file)
      log.append("moved \(name)")
    } catch {
      log.append("not moved")
    }
  }
}
