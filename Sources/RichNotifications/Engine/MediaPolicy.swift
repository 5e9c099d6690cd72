public import Foundation
import MediaLoading
import PushPayload

/// What media may be fetched, from where, and at what cost.
public struct MediaPolicy: Sendable {
  /// Whether `http:` URLs are fetched.
  ///
  /// By default not; App Transport Security would have to allow it in the extension's own
  /// Info.plist as well.
  public var allowsPlainHTTP = false
  /// The hosts that media may come from: `cdn.example.com`, or `*.example.com` for every name below
  /// that one; `nil` for any.
  public var allowedHosts: [String]?
  /// Whether servers may have private, link-local or loopback addresses.
  ///
  /// By default not: a sender has no business in the network that the phone happens to be in.
  public var allowsPrivateAddresses = false
  /// How many redirects are followed for one file; each is checked as the first URL is.
  public var maximumRedirects = 5
  /// What is fetched in Low Data Mode.
  public var lowDataMode = LowDataMode.smaller
  /// How many files one notification may attach, 1…10.
  public var maximumCount = 5
  /// How many are fetched at the same time, 1…``maximumCount``.
  public var maximumParallel = 3
  /// How many bytes one notification may receive in all, retries included.
  ///
  /// By default 60 million: one film of the largest size, and pictures beside it.
  public var maximumBytes: Int64 = 60_000_000
  /// How large an image may be that ``RichEnvironment/imageReducer`` makes smaller before it is attached.
  ///
  /// By default 30 million: a photograph of a hundred megapixels. It is read from disk, so that it costs
  /// time and the reader's network, not memory. Without a reducer the system's 10 MB hold.
  public var maximumReducibleBytes: Int64 = 30_000_000
  /// How often one URL is tried where the failure may pass, 1 for once.
  public var maximumAttempts = 3
  /// What to send with the request for a URL, such as an `Authorization`.
  ///
  /// It goes to that URL and to redirects within its origin (scheme, host and port), never further.
  public var headers: (@Sendable (URL) -> [String: String])?

  /// The policy for an app that has no wishes of its own.
  public init() {}

  /// What is fetched in Low Data Mode.
  public struct LowDataMode: RawRepresentable, Hashable, Sendable {
    /// The name, as an Info.plist writes it.
    public let rawValue: String

    /// Names a mode.
    ///
    /// - Parameter rawValue: A lower-case word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Everything.
    public static let full = LowDataMode(rawValue: "full")
    /// Pictures, and for a film its poster.
    public static let smaller = LowDataMode(rawValue: "smaller")
    /// Nothing.
    public static let text = LowDataMode(rawValue: "text")
  }
}

extension MediaPolicy {
  /// Refuses a URL that the policy does not allow, the first one or one that a server redirects to.
  func check(_ url: URL) throws(MediaFailure) {
    guard let host = url.host(percentEncoded: false), !host.isEmpty else {
      throw MediaFailure(.invalidURL, "the URL names no host")
    }
    let scheme = url.scheme?.lowercased()
    guard scheme == "https" || allowsPlainHTTP else {
      throw MediaFailure(.notHTTPS, "the URL is http:; the system and this app take https: only")
    }
    guard scheme == "https" || scheme == "http" else {
      throw MediaFailure(.invalidURL, "a URL must be https: or http:")
    }
    guard url.user(percentEncoded: true) == nil, url.password(percentEncoded: true) == nil else {
      throw MediaFailure(.credentials, "the URL holds a user name or a password")
    }
    guard allowsPrivateAddresses || !PrivateAddress.isHost(of: url) else {
      throw MediaFailure(.privateAddress, "the host is a private, link-local or loopback address")
    }
    guard allows(host: host) else {
      throw MediaFailure(.hostNotAllowed, "the app does not take media from this host")
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

  /// Whether a file of this family is fetched in Low Data Mode; an unknown one counts as a picture.
  func allowsConstrainedNetwork(_ family: MediaType.Family?) -> Bool {
    switch lowDataMode {
    case .full: true
    case .smaller: family == nil || family == .image
    default: false
    }
  }
}
