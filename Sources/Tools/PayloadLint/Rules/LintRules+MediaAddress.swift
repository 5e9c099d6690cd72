import Foundation
import MediaLoading
import PushPayload

extension LintRules {
  /// Rules about media URLs and whether a device can load them.
  static let mediaAddress: [LintRule] = [
    LintRule(
      "M721", .error, summary: "the media URL is plain http",
      why: """
        App Transport Security blocks it, unless the Info.plist of the *extension* allows it; that of the app \
        has no effect. The notification is shown without media and without an error. A URL of the computer \
        itself, such as `http://localhost:8080`, is for the Simulator, and M724 reports it.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "http://example.com/a.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.jpg"}}"#,
      fix: "serve media over https"
    ) { subject in
      subject.references.filter { $0.scheme == "http" && !$0.isOnThisComputer }
        .map { LintFinding($0.path.description, "is http, which iOS blocks") }
    },
    LintRule(
      "M722", .error, summary: "the media URL cannot be loaded",
      why: """
        Media are loaded by `https:`, or by name from the app's bundle. `data:`, `ftp:`, `//host/…`, a path on \
        a computer, and a host without a scheme or with spaces cannot be loaded.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "//example.com/a.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.jpg"}}"#,
      fix: "write https://, the host and the path"
    ) { subject in
      subject.references.compactMap { media in
        media.problem.map { LintFinding(media.path.description, $0) }
      }
    },
    LintRule(
      "M723", .error, summary: "the media URL contains a user name or a password",
      why: """
        Every relay on the way to the device can read the payload, and the app gets it in `userInfo`. \
        Martlet's engine refuses such URLs.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://user:secret@example.com/a.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.jpg?expires=1798135200&signature=ab12"}}"#,
      fix: "use a signed URL that expires soon"
    ) { subject in
      subject.references.filter(\.hasCredentials)
        .map { LintFinding($0.path.description, "contains a user name or a password") }
    },
    LintRule(
      "M724", .warning, summary: "the media URL names a private or local host",
      why: """
        On a device `localhost` is the device itself, and `*.local` and private addresses belong to the \
        network it is in. Martlet's engine refuses them, unless the app allows them for tests.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://192.168.1.20/a.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://cdn.example.com/a.jpg"}}"#,
      fix: "serve media from a public host"
    ) { subject in
      subject.references.filter(\.hasPrivateHost)
        .map { LintFinding($0.path.description, "names a private or local host") }
    },
    LintRule(
      "M730", .warning, summary: "the media URL is loaded otherwise than it is written",
      why: """
        Martlet's engine percent-encodes characters that no URL has, such as spaces and a `%` without two digits. \
        Other extensions on iOS 16 show the notification without media. White space at the end and `&amp;` \
        become part of the URL, which is rarely the file's.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/my photo.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/my%20photo.jpg"}}"#,
      fix: "percent-encode the path and the query, and write the host in ASCII"
    ) { subject in
      subject.references.compactMap { media in
        media.difference.map { LintFinding(media.path.description, $0) }
      }
    },
  ]
}

extension MediaReference {
  /// Whether the host is the computer itself, which serves media without https in tests.
  fileprivate var isOnThisComputer: Bool {
    loadedURL?.host().map { ["localhost", "127.0.0.1", "::1"].contains($0.lowercased()) } ?? false
  }

  /// The URL that Martlet's engine requests; `nil` if the text is a file of the app, or if the
  /// engine refuses it.
  private var loadedURL: URL? { (try? MediaAddress(url))?.url }

  fileprivate var hasCredentials: Bool {
    guard let url = loadedURL else { return false }
    return url.user() != nil || url.password() != nil
  }

  /// Whether a device in another network cannot reach the host.
  fileprivate var hasPrivateHost: Bool {
    guard let url = loadedURL, let host = url.host() else { return false }
    // A name without a dot is known only in a local network.
    return PrivateAddress.isHost(of: url) || !host.contains { ".:$%".contains($0) }
  }

  /// The reason why the URL cannot be loaded; `nil` if no problem is known.
  var problem: String? {
    if url.hasURLPlaceholder { return nil }
    do throws(MediaAddress.Refusal) {
      guard case .local = try MediaAddress(url), scheme == nil else { return nil }
      return nameProblem
    } catch {
      if url.first?.isWhitespace ?? false { return "begins with white space; remove it" }
      if isRemote { return error.reason }
      return (scheme.map(problem(ofScheme:)) ?? pathProblem) ?? error.reason
    }
  }

  /// The difference between the loaded URL and the text; `nil` if they are the same, or if the text
  /// is a file of the app.
  fileprivate var difference: String? {
    guard !url.hasURLPlaceholder, let loaded = loadedURL else { return nil }
    if url.contains("&amp;") { return "contains &amp;, as HTML writes it; write &" }
    if url.last?.isWhitespace ?? false {
      return "ends with white space, which is loaded as a part of it; remove it"
    }
    if let host = loaded.host(), !url.lowercased().contains(host.lowercased()) {
      return "has a host that iOS 16 cannot load; write it in ASCII, with xn--"
    }
    // Non-ASCII letters are common in paths.
    let ascii = String(String.UnicodeScalarView(url.unicodeScalars.filter(\.isASCII)))
    let isEscaped = (try? MediaAddress(ascii))?.url?.absoluteString != ascii
    guard isEscaped || url.contains(where: \.isWhitespace) else { return nil }
    return "has characters that are loaded percent-encoded; write a space as %20, and % as %25"
  }

  private func problem(ofScheme scheme: String) -> String? {
    switch scheme {
    case "file": return "must be the name of a file of the app, not a path on a computer"
    case "data": return "must be https:, not data:; serve the file from a host"
    case "s3": return "must be https:, not s3:; write https://BUCKET.s3.amazonaws.com/KEY"
    case "gs": return "must be https:, not gs:; write https://storage.googleapis.com/BUCKET/NAME"
    case "localhost": return "has no scheme; write https:// before the host"
    case let host where host.contains("."): return "has no scheme; write https:// before the host"
    default: return "must be https:, not \(scheme.prefix(20)):"
    }
  }

  /// The reason why a name that the engine looks up in the app is unlikely to be a file's.
  private var nameProblem: String? {
    if url.first?.isWhitespace ?? false || url.last?.isWhitespace ?? false {
      return "begins or ends with white space; remove it"
    }
    let components = url.split(separator: "/")
    guard components.count > 1, components[0].contains(".") else { return nil }
    return "has no scheme; write https:// before the host"
  }

  /// The reason why a text without a scheme, which the engine refuses, is not the name of a file of the app.
  private var pathProblem: String? {
    if url.hasPrefix("//") { return "must begin with https://" }
    if url.hasPrefix("https//") || url.hasPrefix("http//") {
      return "has no colon after its scheme; write https://"
    }
    let components = url.split(separator: "/", omittingEmptySubsequences: false)
    guard url.contains("\\") || components.contains(where: { ["", ".", ".."].contains($0) }) else {
      return nil
    }
    return "is a path; write https:// and the host before it"
  }
}
