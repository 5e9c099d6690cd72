import Foundation
import PushPayload

extension RichConfiguration {
  /// Creates a configuration from the dictionary `Martlet` of an Info.plist.
  ///
  /// The top-level dictionary `Martlet` may contain:
  ///
  /// | Key | Value |
  /// |---|---|
  /// | `Deadline` | ``RichConfiguration/deadline`` in seconds, 1…29 |
  /// | `AllowsPlainHTTP`, `AllowsPrivateAddresses` | booleans of ``MediaPolicy`` |
  /// | `AllowedHosts` | an array of hosts; `*.example.com` for all subdomains |
  /// | `LowDataMode` | `full`, `smaller` or `text` |
  /// | `MediaKeys` | an array of the app's own payload paths, such as `data.picture` |
  /// | `DisabledDialects` | an array of dialect identifiers |
  /// | `Log` | a boolean: write the trace to the system's log (``RichConfiguration/trace``) |
  /// | `RequiresEncryption` | a boolean, ``RichConfiguration/requiresEncryption`` |
  /// | `Placeholder` | a string, the body of ``RichConfiguration/placeholder`` |
  /// | `AppGroup` | the identifier of the app group for local media, media of templates, receipts and the badge |
  ///
  /// A value of a wrong type is ignored, except that `AllowedHosts` of a wrong type allows no host, and
  /// `RequiresEncryption` of a wrong type counts as true.
  ///
  /// - Parameter info: The Info.plist of the extension, such as `Bundle.main.infoDictionary`.
  public init(info: [String: Any]) {
    self.init()
    guard let keys = info["Martlet"] as? [String: Any] else { return }
    if let seconds = (keys["Deadline"] as? NSNumber)?.doubleValue, (1...29).contains(seconds) {
      deadline = .seconds(seconds)
    }
    media.allowsPlainHTTP = keys["AllowsPlainHTTP"] as? Bool ?? false
    media.allowsPrivateAddresses = keys["AllowsPrivateAddresses"] as? Bool ?? false
    media.allowedHosts = keys["AllowedHosts"].map(Self.hosts)
    if let mode = (keys["LowDataMode"] as? String).map(MediaPolicy.LowDataMode.init(rawValue:)),
      [.full, .smaller, .text].contains(mode)
    {
      media.lowDataMode = mode
    }
    if let disabled = keys["DisabledDialects"] as? [String] {
      dialects = dialects.without(Set(disabled.map(Dialect.ID.init(rawValue:))))
    }
    requiresEncryption = keys["RequiresEncryption"].map { $0 as? Bool ?? true } ?? false
    if let text = keys["Placeholder"] as? String { placeholder = NotificationText(body: text) }
    #if canImport(Darwin)
      if keys["Log"] as? Bool == true { trace = OSLogTrace.sink() }
    #endif
    if let paths = keys["MediaKeys"] as? [String], !paths.isEmpty {
      dialects = dialects.preceded(by: .custom(media: paths.map { PayloadPath($0) }))
    }
  }
}

extension RichConfiguration {
  private static func hosts(_ value: Any) -> [String] {
    if let host = value as? String { return [host] }
    return (value as? [Any] ?? []).compactMap { $0 as? String }
  }
}

extension RichEnvironment {
  /// The value of `AppGroup` in the dictionary `Martlet` of an Info.plist.
  static func appGroup(in info: [String: Any]) -> String? {
    (info["Martlet"] as? [String: Any])?["AppGroup"] as? String
  }
}
