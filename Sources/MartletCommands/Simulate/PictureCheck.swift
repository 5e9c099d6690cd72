import Foundation
import NotificationHost
import Synchronization
import _Card
import _OpenSSLCrypto

/// A check whether attached pictures can be decoded, each content once.
///
/// The host checks a file's headers and lengths only. A picture with damaged pixels is attached, and a phone shows a part
/// of it or nothing.
final class PictureCheck: Sendable {
  /// The types that every decoder knows.
  private static let types: Set<String> = ["public.png", "public.jpeg", "com.compuserve.gif"]

  /// Whether a content can be decoded, by its SHA-256.
  private let known = Mutex<[[UInt8]: Bool]>([:])

  /// A hint for each attachment that cannot be decoded.
  func hints(_ attachments: [ShownAttachment]) -> [SimulationReport.Hint] {
    attachments.enumerated().compactMap { index, attachment in
      guard Self.types.contains(attachment.type), !isDecodable(attachment.file) else { return nil }
      return SimulationReport.Hint(
        rule: "not-decodable",
        message: "attachment \(index + 1) is damaged and cannot be decoded as \(attachment.type); "
          + "a phone shows a part of it or nothing")
    }
  }

  private func isDecodable(_ file: URL) -> Bool {
    guard let data = try? Data(contentsOf: file, options: .mappedIfSafe) else { return false }
    let hash = OpenSSLCrypto.sha256(Array(data))
    if let isDecodable = known.withLock({ $0[hash] }) { return isDecodable }
    let isDecodable = !CardRenderer.isDamaged(picture: file.path(percentEncoded: false))
    known.withLock { $0[hash] = isDecodable }
    return isDecodable
  }
}
