public import Foundation
import PushPayload

/// App Transport Security: the hosts that the extension may connect to without TLS (rule
/// `transport-security`).
///
/// Source: Apple, `NSAppTransportSecurity`. The extension's Info.plist applies, not the app's.
public struct TransportSecurity: Hashable, Codable, Sendable {
  private struct Exception: Hashable, Codable, Sendable {
    var includesSubdomains: Bool
    var allowsInsecure: Bool
  }

  private var allowsAll = false
  private var allowsLocal = false
  private var exceptions: [String: Exception] = [:]

  /// Creates rules without exceptions.
  public init() {}

  /// Reads the rules from an Info.plist.
  ///
  /// - Parameter infoPlist: The extension's Info.plist.
  public init(infoPlist: [String: Any]) {
    let rules = infoPlist["NSAppTransportSecurity"] as? [String: Any] ?? [:]
    allowsLocal = rules["NSAllowsLocalNetworking"] as? Bool ?? false
    allowsAll = ArbitraryLoads.areAllowed(by: rules) { $0 as? Bool ?? false }
    for (domain, value) in rules["NSExceptionDomains"] as? [String: Any] ?? [:] {
      guard let value = value as? [String: Any] else { continue }
      let insecure =
        value["NSExceptionAllowsInsecureHTTPLoads"]
        ?? value["NSThirdPartyExceptionAllowsInsecureHTTPLoads"]
      exceptions[domain.lowercased()] = Exception(
        includesSubdomains: value["NSIncludesSubdomains"] as? Bool ?? false,
        allowsInsecure: insecure as? Bool ?? false)
    }
  }

  /// Whether a URL may be loaded.
  ///
  /// - Parameter url: The URL.
  /// - Returns: Whether App Transport Security allows it; `true` for any scheme but `http`.
  public func allows(_ url: URL) -> Bool {
    guard url.scheme?.lowercased() == "http" else { return true }
    guard let host = url.host(percentEncoded: false)?.lowercased() else { return false }
    if let exception = exception(for: host) { return exception.allowsInsecure }
    return allowsAll || allowsLocal && Self.isLocal(host)
  }

  /// The exception of the most specific domain that contains the host.
  private func exception(for host: String) -> Exception? {
    if let exact = exceptions[host] { return exact }
    return exceptions.filter { $0.value.includesSubdomains && host.hasSuffix(".\($0.key)") }
      .max { $0.key.count < $1.key.count }?.value
  }

  /// Whether a host is a name without a dot, a `.local` name or an address.
  private static func isLocal(_ host: String) -> Bool {
    !host.contains(".") || host.hasSuffix(".local") || host.contains(":")
      || host.split(separator: ".").allSatisfy { UInt8($0) != nil }
  }
}
