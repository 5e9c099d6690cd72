import PushModel

extension ServerFacts {
  /// The limits that decide between results.
  enum Limits {
    /// Less free disk space is an error, because the write-ahead log and one large body need it.
    static let leastDisk: Int64 = 256 << 20
    static let scarceDisk: Int64 = 2 << 30
    /// A certificate that expires sooner should have been renewed; ACME clients renew 30 days earlier.
    static let certificateDays: Int64 = 14
    /// Version 14 had its last release in November 2026, and 15 will have it in November 2027
    /// (postgresql.org, Versioning Policy).
    static let oldestPostgreSQL = 150_000
    /// The difference between two clocks that is reported, in milliseconds.
    static let clockDifference: Int64 = 2000
  }

  /// The check of each fact, in the order in which an operator can fix them.
  var checks: [ServerCheck] {
    configurationChecks + secretChecks + certificateChecks + diskChecks + [descriptorCheck]
      + clockChecks + databaseChecks + hosts.map(Self.check)
  }

  private var configurationChecks: [ServerCheck] {
    let variables = unknownVariables.map { problem in
      ServerCheck(
        code: "unknown-variable", result: .error, message: problem,
        advice: "correct the name, or remove the variable")
    }
    let files = unusableFiles.map { problem in
      ServerCheck(
        code: "file", result: .error, message: problem,
        advice: "martlet config print shows which option names it, and where that is set")
    }
    let checks = variables + files
    return checks.isEmpty ? [.ok("configuration", "the options are good")] : checks
  }

  private var secretChecks: [ServerCheck] {
    var checks: [ServerCheck] = []
    for file in secretFiles {
      guard let mode = file.mode else {
        if secretKeyProblem == nil {
          checks.append(
            ServerCheck(
              code: "secret-key", result: .note,
              message: "there is no \(file.role) \(file.path) yet; the first start makes it"))
        }
        continue
      }
      let octal = String(mode & 0o777, radix: 8)
      if mode & 0o077 == 0 {
        checks.append(
          .ok("secret-key-mode", "the \(file.role) \(file.path) is its owner's (0\(octal))"))
      } else {
        checks.append(
          ServerCheck(
            code: "secret-key-mode", result: .error,
            message: "other users may use the \(file.role) \(file.path), whose mode is 0\(octal)",
            advice: "chmod 600 \(file.path), and consider it known to them"))
      }
    }
    if let problem = secretKeyProblem {
      checks.append(
        ServerCheck(
          code: "secret-key", result: .error, message: problem,
          advice: "without it the p8 keys of all apps must be set again; look for a backup first"))
    }
    return checks
  }

  private var certificateChecks: [ServerCheck] {
    guard let certificate else { return [] }
    let days = (certificate.notAfter - now / 1000) / 86_400
    let name = "the certificate \(certificate.path)"
    let advice = "renew it, then send SIGHUP (systemctl reload martlet)"
    if certificate.notAfter <= now / 1000 {
      return [
        ServerCheck(
          code: "certificate", result: .error, message: "\(name) has expired", advice: advice)
      ]
    }
    guard days >= Limits.certificateDays else {
      return [
        ServerCheck(
          code: "certificate", result: .warning, message: "\(name) has \(days) days left",
          advice: advice)
      ]
    }
    return [.ok("certificate", "\(name) has \(days) days left")]
  }

  private var diskChecks: [ServerCheck] {
    disks.flatMap { disk -> [ServerCheck] in
      let free = "\(disk.freeBytes >> 20) MiB are free for \(disk.folder)"
      let advice = "make room, or move --data"
      var checks: [ServerCheck] = []
      switch disk.freeBytes {
      case ..<Limits.leastDisk:
        checks.append(
          ServerCheck(code: "disk-space", result: .error, message: free, advice: advice))
      case ..<Limits.scarceDisk:
        checks.append(
          ServerCheck(code: "disk-space", result: .warning, message: free, advice: advice))
      default: checks.append(.ok("disk-space", free))
      }
      if disk.holdsDatabase, let kind = disk.kind, MountTable.isNetwork(kind) {
        // SQLite's "Write-Ahead Logging" excludes network file systems, because its processes share memory.
        checks.append(
          ServerCheck(
            code: "network-file-system", result: .error,
            message: "\(disk.folder) is on a network file system (\(kind)), where a SQLite database"
              + " breaks",
            advice: "put --data on a local disk, or use PostgreSQL"))
      }
      return checks
    }
  }

  private var descriptorCheck: ServerCheck {
    let limit = DescriptorLimit(descriptors: descriptors)
    let advice = "raise it, with LimitNOFILE= of the unit or ulimit -n"
    do { try limit.check() } catch {
      return ServerCheck(
        code: "descriptors", result: .error, message: "\(error.sentence)", advice: advice)
    }
    let message =
      "the limit of \(descriptors) open files leaves room for \(limit.connections) clients"
    guard limit.connections >= DescriptorLimit.mostConnections / 4 else {
      return ServerCheck(
        code: "descriptors", result: .warning, message: message, advice: advice)
    }
    return .ok("descriptors", message)
  }

  private var clockChecks: [ServerCheck] {
    guard let isClockSynchronized else { return [] }
    guard !isClockSynchronized else { return [.ok("clock", "the clock is synchronized")] }
    return [
      ServerCheck(
        code: "clock", result: .warning,
        message: "no time service keeps this machine's clock right",
        advice: "start one (systemd-timesyncd, chrony): Apple refuses provider tokens whose time is"
          + " an hour off, and scheduled sends start by this clock")
    ]
  }

  private static func check(_ host: Host) -> ServerCheck {
    let way = host.proxy.map { " through the proxy \($0)" } ?? ""
    switch host.answer {
    case .answered(let milliseconds):
      return .ok("apns", "\(host.name) answers\(way), in \(milliseconds) ms")
    case .none(let message):
      return ServerCheck(
        code: "apns", result: .error, message: "\(host.name) does not answer\(way): \(message)",
        advice: host.proxy == nil
          ? "let this machine resolve the name and reach its port by TCP, without a box that opens TLS,"
            + " or set --apns-proxy"
          : "let the proxy open tunnels to the host and port (CONNECT), or correct --apns-proxy")
    }
  }
}
