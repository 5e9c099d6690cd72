import PushModel
import PushStore

extension ServerFacts {
  var databaseChecks: [ServerCheck] {
    switch database {
    case .failed(let problem):
      return [
        ServerCheck(
          code: "database", result: .error, message: problem,
          advice: "check --database, and that the server runs and lets this user in")
      ]
    case .new(let name):
      return [
        ServerCheck(
          code: "database", result: .note,
          message: "\(name) has no schema of this version yet; the next start makes it",
          advice: "if it holds data, back it up first: martlet backup, or pg_dump")
      ]
    case .sqlite(let path): return [.ok("database", "the store \(path) is readable")]
    case .postgreSQL(let settings): return checks(of: settings)
    }
  }

  private func checks(of settings: PostgreSQLServerSettings) -> [ServerCheck] {
    [versionCheck(settings), connectionCheck(settings)] + durabilityChecks(settings)
      + walLevelChecks(settings) + timeChecks(settings)
  }

  private func versionCheck(_ settings: PostgreSQLServerSettings) -> ServerCheck {
    guard settings.versionNumber >= Limits.oldestPostgreSQL else {
      return ServerCheck(
        code: "postgresql-version", result: .warning,
        message: "PostgreSQL \(settings.version) gets no corrections any more",
        advice: "upgrade it to a version that its project supports")
    }
    return .ok("postgresql-version", "PostgreSQL \(settings.version)")
  }

  private func connectionCheck(_ settings: PostgreSQLServerSettings) -> ServerCheck {
    let wanted = PostgreSQLServerSettings.connectionsOfNode
    let text =
      "\(settings.usedConnections) of \(settings.connections) connections are used, and a node takes"
      + " up to \(wanted)"
    let advice =
      "raise max_connections of PostgreSQL: \(wanted) for each node, and some for yourself"
    guard settings.connections >= wanted else {
      return ServerCheck(
        code: "postgresql-connections", result: .error, message: text, advice: advice)
    }
    // A running node is among the used connections, so the free ones need not suffice for another node.
    guard settings.connections - settings.usedConnections >= 3 else {
      return ServerCheck(
        code: "postgresql-connections", result: .warning, message: text, advice: advice)
    }
    return .ok("postgresql-connections", text)
  }

  private func durabilityChecks(_ settings: PostgreSQLServerSettings) -> [ServerCheck] {
    var checks: [ServerCheck] = []
    for name in ["fsync", "full_page_writes"] where settings.values[name] == "off" {
      checks.append(
        ServerCheck(
          code: "postgresql-\(name.replacing("_", with: "-"))", result: .error,
          message: "\(name) is off, so a crash of the database's machine may destroy the database",
          advice: "set \(name) = on"))
    }
    let commit = settings.values["synchronous_commit"] ?? ""
    if commit == "off" {
      checks.append(
        ServerCheck(
          code: "postgresql-synchronous-commit", result: .warning,
          message:
            "synchronous_commit is off, so a crash may lose sends that were answered with 201,"
            + " and outcomes, so that some pushes are sent again",
          advice: "set synchronous_commit = on for the user or the database of martlet"))
    } else {
      checks.append(.ok("postgresql-synchronous-commit", "synchronous_commit is \(commit)"))
    }
    return checks
  }

  private func walLevelChecks(_ settings: PostgreSQLServerSettings) -> [ServerCheck] {
    let level = settings.values["wal_level"] ?? ""
    if settings.isDivided, level != "logical" {
      return [
        ServerCheck(
          code: "postgresql-wal-level", result: .warning,
          message:
            "wal_level is \(level) and the database is divided: moving apps to another server"
            + " blocks their writes",
          advice: "set wal_level = logical on every server of Citus, and restart them")
      ]
    }
    if level == "minimal" {
      return [
        ServerCheck(
          code: "postgresql-wal-level", result: .note,
          message: "wal_level is minimal: no standby and no recovery to a point in time",
          advice: "set wal_level = replica")
      ]
    }
    return [.ok("postgresql-wal-level", "wal_level is \(level)")]
  }

  private func timeChecks(_ settings: PostgreSQLServerSettings) -> [ServerCheck] {
    let difference = abs(settings.time - now)
    guard difference > Limits.clockDifference else { return [] }
    return [
      ServerCheck(
        code: "postgresql-clock", result: .warning,
        message: "the database's clock and this machine's differ by \(difference) ms",
        advice: "let a time service keep both right")
    ]
  }
}
