public import Foundation
import MediaLoading
import PushPayload

/// The limits for fetching media: hosts, sizes, counts and retries.
public struct MediaPolicy: Sendable {
  /// Whether `http:` URLs are fetched.
  ///
  /// The default is `false`. App Transport Security must allow it in the extension's Info.plist as well.
  public var allowsPlainHTTP = false
  /// The hosts that media may be fetched from: `cdn.example.com`, or `*.example.com` for all its subdomains.
  ///
  /// The default, `nil`, allows any host.
  public var allowedHosts: [String]?
  /// Whether servers may have private, link-local or loopback addresses.
  ///
  /// The default is `false`, so that a payload cannot reach servers in the device's local network.
  public var allowsPrivateAddresses = false
  /// The maximum number of redirects to follow for one file.
  ///
  /// Each URL is checked like the first.
  public var maximumRedirects = 5
  /// The media that are fetched in Low Data Mode.
  public var lowDataMode = LowDataMode.smaller
  /// The maximum number of files to attach to one notification, 1…10.
  public var maximumCount = 5
  /// The maximum number of files to fetch at the same time, 1…``maximumCount``.
  public var maximumParallel = 3
  /// The maximum number of bytes that one notification may receive in total, retries included.
  ///
  /// The default is 60 million: one video of the maximum size, and some images.
  public var maximumBytes: Int64 = 60_000_000
  /// The maximum size in bytes of an image that ``RichEnvironment/imageReducer`` scales down.
  ///
  /// The default is 30 million, a photo of a hundred megapixels. The image is read from disk, so it costs time
  /// and network traffic but no memory. Without a reducer, the system's limit of 10 MB applies.
  public var maximumReducibleBytes: Int64 = 30_000_000
  /// The maximum number of times to try one URL if it fails with a transient failure; 1 for no retries.
  public var maximumTries = 3
  /// Returns header fields to send with the request for a URL, such as `Authorization`.
  ///
  /// They are sent to that URL and to redirects within its origin (scheme, host and port), never to another.
  public var headers: (@Sendable (URL) -> [String: String])?

  /// Creates the default policy.
  public init() {}

  /// The media that are fetched in Low Data Mode.
  public struct LowDataMode: RawRepresentable, Hashable, Sendable {
    /// The name, as in an Info.plist.
    public let rawValue: String

    /// Creates a mode.
    ///
    /// - Parameter rawValue: A lower-case word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// All media are fetched.
    public static let full = LowDataMode(rawValue: "full")
    /// Images are fetched, and for a video its poster.
    public static let smaller = LowDataMode(rawValue: "smaller")
    /// No media are fetched.
    public static let text = LowDataMode(rawValue: "text")
  }
}

extension MediaPolicy {
  /// Checks a URL from a payload or a redirect.
  ///
  /// - Throws: ``MediaFailure`` if the policy does not allow the URL.
  func check(_ url: URL) throws(MediaFailure) {
    guard let host = url.host(percentEncoded: false), !host.isEmpty else {
      throw MediaFailure(.invalidURL, "the URL has no host")
    }
    let scheme = url.scheme?.lowercased()
    guard scheme == "https" || allowsPlainHTTP else {
      throw MediaFailure(
        .notHTTPS, "the URL is not https:, and MediaPolicy.allowsPlainHTTP is not set")
    }
    guard scheme == "https" || scheme == "http" else {
      throw MediaFailure(.invalidURL, "a URL must be https: or http:")
    }
    guard url.user(percentEncoded: true) == nil, url.password(percentEncoded: true) == nil else {
      throw MediaFailure(.credentials, "the URL contains a user name or a password")
    }
    guard allowsPrivateAddresses || !PrivateAddress.isHost(of: url) else {
      throw MediaFailure(.privateAddress, "the host is a private, link-local or loopback address")
    }
    guard allows(host: host) else {
      throw MediaFailure(.hostNotAllowed, "the host is not in MediaPolicy.allowedHosts")
    }
  }

  private func allows(host: String) -> Bool {
    guard let allowedHosts else { return true }
    let name = host.lowercased()
    return allowedHosts.contains { allowed in
      let allowed = allowed.lowercased()
      return allowed.hasPrefix("*.") ? name.hasSuffix(allowed.dropFirst()) : name == allowed
    }
  }

  /// Whether a file of this family is fetched in Low Data Mode.
  ///
  /// A file of unknown type counts as an image.
  func allowsConstrainedNetwork(_ family: MediaType.Family?) -> Bool {
    switch lowDataMode {
    case .full: true
    case .smaller: family == nil || family == .image
    default: false
    }
  }
}
