import PushPayload

extension LintRules {
  /// Rules about media URLs: whether a device can load them.
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
        .map { LintFinding($0.path.description, "must be https:; iOS blocks http:") }
    },
    LintRule(
      "M722", .error, summary: "the media URL cannot be loaded",
      why: """
        Media are loaded by `https:`, or by name from the app's bundle. `data:`, `ftp:`, `//host/…`, a path on \
        a computer, a host without a scheme, and URLs with spaces cannot be loaded.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "//example.com/a.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.jpg"}}"#,
      fix: "write https://, the host and the path, with spaces as %20"
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
      subject.references.filter { $0.authority?.contains("@") ?? false }
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
      subject.references.filter { $0.host.map(PrivateHost.isPrivate) ?? false }
        .map { LintFinding($0.path.description, "names a private or local host") }
    },
  ]
}

extension MediaReference {
  /// Whether the host is the computer itself, which serves media without https in trials.
  fileprivate var isOnThisComputer: Bool {
    host.map { ["localhost", "127.0.0.1", "::1"].contains($0) } ?? false
  }

  /// The authority: the part between `//` and the path.
  fileprivate var authority: String? {
    guard isRemote, let slashes = url.firstRange(of: "://") else { return nil }
    return String(url[slashes.upperBound...].prefix { !"/?#".contains($0) })
  }

  /// The host in lower case, without the port.
  fileprivate var host: String? {
    guard let authority, let hostAndPort = authority.split(separator: "@").last else {
      return nil
    }
    if hostAndPort.hasPrefix("[") {
      return hostAndPort.dropFirst().prefix { $0 != "]" }.lowercased()
    }
    return hostAndPort.prefix { $0 != ":" }.lowercased()
  }

  /// Why the URL cannot be loaded; `nil` where nothing is known to be wrong.
  var problem: String? {
    if url.hasURLPlaceholder { return nil }
    if url.first?.isWhitespace ?? false || url.last?.isWhitespace ?? false {
      return "begins or ends with white space; remove it"
    }
    if url.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return "contains a line break or another control character; remove it"
    }
    if isRemote { return remoteProblem }
    return scheme.map(problem(ofScheme:)) ?? pathProblem(url)
  }

  private var remoteProblem: String? {
    if url.contains(where: { $0.isWhitespace }) { return "contains a space; write it as %20" }
    guard let host, !host.isEmpty else { return "has no host; write https:// before it" }
    if host == "https" || host == "http" { return "begins with https:// twice" }
    if url.contains("&amp;") { return "contains &amp;, as HTML writes it; write &" }
    return nil
  }

  private func problem(ofScheme scheme: String) -> String? {
    switch scheme {
    case "file":
      let path = url.dropFirst("file:".count).trimmingPrefix("//")
      return pathProblem(String(path)) == nil
        ? nil : "must be the name of a file of the app, not a path on a computer"
    case "data": return "must be https:, not data:; serve the file from a host"
    case "s3": return "must be https:, not s3:; write https://BUCKET.s3.amazonaws.com/KEY"
    case "gs": return "must be https:, not gs:; write https://storage.googleapis.com/BUCKET/NAME"
    case "localhost": return "has no scheme; write https:// before the host"
    case let host where host.contains("."): return "has no scheme; write https:// before the host"
    default: return "must be https:, not \(scheme.prefix(20)):"
    }
  }

  /// Why an address without a scheme is not the name of a file of the app.
  private func pathProblem(_ path: String) -> String? {
    if path.hasPrefix("//") { return "must begin with https://" }
    if path.hasPrefix("https//") || path.hasPrefix("http//") {
      return "has no colon after its scheme; write https://"
    }
    let components = path.split(separator: "/", omittingEmptySubsequences: false)
    if path.contains("\\") || components.contains(where: { ["", ".", ".."].contains($0) }) {
      return "is a path; write https:// and the host before it"
    }
    if components.count > 1, let first = components.first, first.contains(".") {
      return "has no scheme; write https:// before the host"
    }
    return nil
  }
}

/// The hosts that a device in another network cannot reach.
private enum PrivateHost {
  static func isPrivate(_ host: String) -> Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host.hasSuffix(".local") {
      return true
    }
    // A name without a dot is known only in a local network; `https` is the start of a URL written twice.
    if !host.contains("."), !host.contains(":") {
      return !host.isEmpty && !["http", "https"].contains(host)
        && !host.contains { "{}<>$%".contains($0) }
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
