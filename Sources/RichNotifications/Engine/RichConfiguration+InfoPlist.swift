import Foundation
import PushPayload

extension RichConfiguration {
  /// Reads the configuration from an extension's Info.plist: the way without a line of code.
  ///
  /// The dictionary `Martlet` at its top may hold
  ///
  /// | Key | Value |
  /// |---|---|
  /// | `Deadline` | seconds that media may take, 1…29 |
  /// | `AllowsPlainHTTP`, `AllowsPrivateAddresses` | booleans |
  /// | `AllowedHosts` | an array of hosts, `*.example.com` for all below one |
  /// | `LowDataMode` | `full`, `smaller` or `text` |
  /// | `MediaKeys` | an array of paths of the app's own: `data.picture` |
  /// | `DisabledDialects` | an array of dialects' names |
  /// | `Log` | a boolean: the trace goes to the system's log (``RichConfiguration/trace``) |
  /// | `AppGroup` | the app group that local media, receipts and the badge's number are in |
  ///
  /// A value of a wrong type counts as absent, for a notification is no place to fail; but
  /// `AllowedHosts` that cannot be read allow no host.
  ///
  /// - Parameter info: The Info.plist.
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
    #if canImport(os)
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
  /// The app group that an Info.plist names for Martlet.
  static func appGroup(in info: [String: Any]) -> String? {
    (info["Martlet"] as? [String: Any])?["AppGroup"] as? String
  }
}
