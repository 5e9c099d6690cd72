import PushPayload

extension LintRules {
  /// Whether the phone can reach the media.
  static let mediaAddress: [LintRule] = [
    LintRule(
      "M721", .error, "the media URL is plain http",
      why: """
        App Transport Security blocks it unless the *extension's own* Info.plist says otherwise; the \
        app's does not count. Nobody sees the picture, and nobody is told.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "http://example.com/a.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.jpg"}}"#,
      fix: "serve media over https"
    ) { subject in
      subject.references.filter { $0.scheme == "http" }
        .map { LintFinding($0.path.description, "is http:, which iOS blocks") }
    },
    LintRule(
      "M722", .error, "the media address is no URL that can be fetched",
      why: """
        Media come by `https:`, or from the app's own bundle by name. `data:`, `ftp:` and `//host/…` lead \
        nowhere, and neither does a URL with spaces.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "//example.com/a.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.jpg"}}"#,
      fix: "write https://, the host and the path, with spaces as %20"
    ) { subject in
      subject.references.compactMap { media in
        media.fault.map { LintFinding(media.path.description, $0) }
      }
    },
    LintRule(
      "M723", .error, "the media URL holds a user name or a password",
      why: """
        The payload is readable for every relay between here and the phone, and lies in the app's \
        `userInfo`. The engine refuses such URLs.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://user:secret@example.com/a.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.jpg?expires=1798135200&signature=ab12"}}"#,
      fix: "sign the URL for a short time instead"
    ) { subject in
      subject.references.filter { $0.authority?.contains("@") ?? false }
        .map { LintFinding($0.path.description, "holds a user name or a password") }
    },
    LintRule(
      "M724", .warning, "the media server is reachable from here only",
      why: """
        `localhost`, `*.local` and private addresses mean the phone itself, or whatever network it is in. \
        The engine refuses them unless the app allows it for tests.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://192.168.1.20/a.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://cdn.example.com/a.jpg"}}"#,
      fix: "put media on a public host"
    ) { subject in
      subject.references.filter { $0.host.map(PrivateHost.isPrivate) ?? false }
        .map { LintFinding($0.path.description, "names a private or local host") }
    },
  ]
}

extension MediaReference {
  /// What stands between `//` and the path.
  fileprivate var authority: String? {
    guard isRemote, let slashes = url.firstRange(of: "://") else { return nil }
    return String(url[slashes.upperBound...].prefix { !"/?#".contains($0) })
  }

  /// The host without a port, lower case.
  fileprivate var host: String? {
    guard let authority, let place = authority.split(separator: "@").last else { return nil }
    if place.hasPrefix("[") { return place.dropFirst().prefix { $0 != "]" }.lowercased() }
    return place.prefix { $0 != ":" }.lowercased()
  }

  /// Why it cannot be fetched.
  fileprivate var fault: String? {
    if url.contains(where: { $0.isWhitespace }), isRemote { return "holds a space" }
    if url.hasPrefix("//") { return "has no https: before its //" }
    if isRemote, host?.isEmpty ?? true { return "names no host" }
    if let scheme, !["https", "http", "file"].contains(scheme) {
      return "is \(scheme.prefix(20)):, which is not fetched"
    }
    return nil
  }
}

/// Hosts that no phone elsewhere reaches.
private enum PrivateHost {
  static func isPrivate(_ host: String) -> Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host.hasSuffix(".local") {
      return true
    }
    if host.contains(":") {
      return host == "::1"
        || ["fc", "fd", "fe8", "fe9", "fea", "feb"].contains { host.hasPrefix($0) }
    }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    guard parts.count == 4, let first = parts[0], let second = parts[1], parts[2] != nil,
      parts[3] != nil
    else { return false }
    return switch (first, second) {
    case (0, _), (10, _), (127, _), (169, 254), (172, 16...31), (192, 168): true
    default: false
    }
  }
}
