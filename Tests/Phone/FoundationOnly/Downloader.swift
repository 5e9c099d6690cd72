import Foundation

/// A helper of an extension that imports only Foundation, as in an iOS project.
enum Downloader {
  static func download(_ url: URL, completion: @escaping @Sendable (URL?) -> Void) {
    URLSession.shared.downloadTask(with: url) { file, response, _ in
      guard let file, (response as? HTTPURLResponse)?.statusCode == 200 else {
        return completion(nil)
      }
      let target = URL(fileURLWithPath: NSTemporaryDirectory())
        .appendingPathComponent(url.lastPathComponent)
      try? FileManager.default.moveItem(at: file, to: target)
      completion(target)
    }.resume()
  }

  static func after(_ seconds: Double, _ work: @escaping @Sendable () -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: work)
  }
}
