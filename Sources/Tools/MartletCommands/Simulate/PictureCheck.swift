import Foundation
import NotificationHost
import PhoneCards
import Synchronization
import _OpenSSLCrypto

/// A check of whether attached pictures can be decoded, which decodes each content once.
///
/// The host checks only a file's headers and lengths. A picture with damaged pixels is attached, but a phone shows only
/// a part of it or nothing.
final class PictureCheck: Sendable {
  /// The types that every decoder supports.
  private static let types: Set<String> = ["public.png", "public.jpeg", "com.compuserve.gif"]

  /// Whether contents can be decoded, by their SHA-256.
  private let known = Mutex<[[UInt8]: Bool]>([:])

  private let cards: CardProcess

  /// Makes a check that uses the process that decodes pictures.
  init(by cards: CardProcess) { self.cards = cards }

  /// A hint for each attachment that cannot be decoded; empty if `martlet-card` is not installed.
  func hints(_ attachments: [ShownAttachment]) async -> [SimulationReport.Hint] {
    var hints: [SimulationReport.Hint] = []
    for (index, attachment) in attachments.enumerated() where Self.types.contains(attachment.type) {
      guard await !isDecodable(attachment.file) else { continue }
      hints.append(
        SimulationReport.Hint(
          rule: "not-decodable",
          message:
            "attachment \(index + 1) is damaged and cannot be decoded as \(attachment.type); "
            + "a phone shows a part of it or nothing"))
    }
    return hints
  }

  private func isDecodable(_ file: URL) async -> Bool {
    guard let data = try? Data(contentsOf: file, options: .mappedIfSafe) else { return false }
    let hash = OpenSSLCrypto.sha256(Array(data))
    if let isDecodable = known.withLock({ $0[hash] }) { return isDecodable }
    let isDamaged = try? await cards.isDamaged(picture: file.path(percentEncoded: false))
    let isDecodable = isDamaged != true
    known.withLock { $0[hash] = isDecodable }
    return isDecodable
  }
}
