import Foundation
import UserNotifications

/// The download code of a typical app: a file of an iOS project, which must compile unchanged.
public enum Download {
  public static func request(_ url: URL) -> URLRequest {
    var request = URLRequest(
      url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 10)
    request.httpMethod = "GET"
    request.cachePolicy = .returnCacheDataElseLoad
    request.httpShouldHandleCookies = false
    request.allowsCellularAccess = true
    request.allowsExpensiveNetworkAccess = true
    request.allowsConstrainedNetworkAccess = true
    request.networkServiceType = .responsiveData
    request.setValue("image/*", forHTTPHeaderField: "Accept")
    return request
  }

  public static func configuration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 10
    configuration.timeoutIntervalForResource = 20
    configuration.requestCachePolicy = .reloadIgnoringLocalAndRemoteCacheData
    configuration.urlCache = nil
    configuration.httpMaximumConnectionsPerHost = 2
    configuration.httpShouldSetCookies = false
    configuration.isDiscretionary = false
    configuration.sessionSendsLaunchEvents = false
    configuration.networkServiceType = .background
    return configuration
  }

  public static func start(_ url: URL) {
    let session = URLSession(configuration: configuration())
    let task = session.dataTask(with: request(url)) { data, response, error in
      if let error = error as? URLError, error.code == .timedOut { return }
      guard let response = response as? HTTPURLResponse, response.statusCode == 200 else { return }
      _ = response.mimeType ?? response.suggestedFilename
      autoreleasepool { _ = data?.count }
    }
    task.taskDescription = "picture"
    task.priority = URLSessionTask.highPriority
    task.resume()
    _ = task.currentRequest?.url
    _ = Double(task.countOfBytesReceived) / Double(max(1, task.countOfBytesExpectedToReceive))
    task.cancel()
    session.finishTasksAndInvalidate()
  }

  public static func keep(_ attachment: UNNotificationAttachment, in group: String) throws -> URL? {
    guard
      let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group),
      attachment.url.startAccessingSecurityScopedResource()
    else { return nil }
    defer { attachment.url.stopAccessingSecurityScopedResource() }
    let copy = folder.appendingPathComponent(attachment.identifier)
    try Data(contentsOf: attachment.url).write(to: copy, options: .atomic)
    return copy
  }

  public static func text() -> String {
    NSString.localizedUserNotificationString(forKey: "%2$@, %@ of %@: 100 %", arguments: [1, "%@"])
  }
}
