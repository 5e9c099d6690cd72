/// The reason why a connection failed, recognized in an error message of libpq.
///
/// The message itself is not repeated, because it quotes parts of the address; in a misread address, these
/// may be the password. If the address has several hosts, each has its own reason.
enum ConnectionProblem: CaseIterable {
  case refused, noSocket, unknownHost, silent, password, noPassword, role, database, rule, readOnly
  case tooMany, starting, stopping, recovering, untrusted, noTLS

  /// The phrases in messages of libpq, or of the server in English.
  private var signs: [String] {
    switch self {
    case .refused: ["Connection refused"]
    case .noSocket: ["No such file or directory"]
    case .unknownHost: ["could not translate host name"]
    case .silent: ["timeout expired", "Connection timed out", "No route to host"]
    case .password: ["password authentication failed"]
    case .noPassword: ["no password supplied"]
    case .role: ["FATAL:  role "]
    case .database: ["FATAL:  database "]
    case .rule: ["no pg_hba.conf entry", "pg_hba.conf rejects"]
    case .readOnly: ["session is read-only", "server is in hot standby mode"]
    case .tooMany: ["too many clients", "too many connections", "remaining connection slots"]
    case .starting: ["the database system is starting up"]
    case .stopping: ["the database system is shutting down"]
    case .recovering: ["in recovery mode", "not accepting connections"]
    case .untrusted:
      ["certificate verify failed", "root certificate", "does not match host name"]
    case .noTLS: ["does not support SSL"]
    }
  }

  /// The reason, and what to do.
  private var sentence: String {
    switch self {
    case .refused:
      "no server listens at this host and port: check both, and whether the server runs"
    case .noSocket:
      "there is no socket of a server in this folder: check the folder and the port, and whether the"
        + " server runs"
    case .unknownHost: "the host name is unknown: check it, and the name servers of this machine"
    case .silent:
      "the server does not answer: check the host, the network, and whether the server hangs"
    case .password: "the password is wrong for this user"
    case .noPassword: "the server asks for a password: give one in the environment, or in ~/.pgpass"
    case .role: "the server has no such user, or it may not log in: check the user of the address"
    case .database: "the server has no such database: check its name, or create it"
    case .rule:
      "pg_hba.conf of the server does not admit this user, database and machine, or asks for TLS"
    case .readOnly: "the server takes no writes: it is a standby; name its primary as well"
    case .tooMany: "the server has no connection left: raise max_connections, or end others"
    case .starting: "the server is starting: try again"
    case .stopping: "the server is stopping"
    case .recovering: "the server recovers from a crash, or is a standby that takes no connections"
    case .untrusted:
      "the server's certificate is not trusted: check sslrootcert, and that the address has the"
        + " name that the certificate is for"
    case .noTLS:
      "the address asks for TLS, which the server does not offer: turn on its ssl, or change sslmode"
    }
  }

  /// The reasons in a message of libpq, each once.
  static func sentence(for text: String) -> String {
    let found = allCases.filter { problem in problem.signs.contains { text.contains($0) } }
    guard !found.isEmpty else {
      return "check the address, the password and whether the server runs"
    }
    return found.map(\.sentence).joined(separator: "; ")
  }
}
