public import Foundation
import Synchronization
@_spi(Host) import UserNotifications

/// Apple's `UIPasteboard`, which here has a content of this process only.
///
/// Source: Apple, `UIPasteboard`.
public final class UIPasteboard: NSObject, Sendable {
  /// The pasteboard for copy and paste.
  public static let general = UIPasteboard()
  private let content = Mutex<[String]>([])

  override init() {}

  /// The texts.
  public var strings: [String]? {
    get { content.withLock { $0.isEmpty ? nil : $0 } }
    set {
      notModelled("UIPasteboard.general", "only this process has the text; no app can paste it")
      content.withLock { $0 = newValue ?? [] }
    }
  }

  /// The first text.
  public var string: String? {
    get { strings?.first }
    set { strings = newValue.map { [$0] } }
  }

  /// The first text, if it is a URL with a scheme.
  public var url: URL? {
    get { string.flatMap(URL.init(string:)).flatMap { $0.scheme == nil ? nil : $0 } }
    set { string = newValue?.absoluteString }
  }

  /// Whether there is a text.
  public var hasStrings: Bool { strings != nil }
  /// Whether there is a URL.
  public var hasURLs: Bool { url != nil }
}
