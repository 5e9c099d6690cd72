import CPostgreSQL

/// Addresses in libpq's form.
package enum PostgreSQLAddress {
  /// The parameters of an address by libpq's names, such as `host` and `dbname`.
  ///
  /// - Throws: ``PostgreSQLError`` if libpq cannot read the text, which the error does not repeat.
  package static func parameters(of url: String) throws(PostgreSQLError) -> [String: String] {
    guard let options = unsafe PQconninfoParse(url, nil) else {
      throw PostgreSQLError(
        code: .connectionFailure, message: "the address is not one that libpq reads", sql: "")
    }
    defer { unsafe PQconninfoFree(options) }
    var parameters: [String: String] = [:]
    var option = unsafe options
    while let name = unsafe option.pointee.keyword {
      if let value = unsafe option.pointee.val {
        parameters[unsafe String(cString: name)] = unsafe String(cString: value)
      }
      unsafe option += 1
    }
    return parameters
  }

  /// The parameters of an address, completed with defaults: of several hosts, the one that accepts
  /// writes is used, and a host that does not answer times out.
  ///
  /// - Throws: The errors of ``parameters(of:)``.
  package static func completeParameters(
    of url: String
  ) throws(PostgreSQLError) -> [String: String] {
    try parameters(of: url).merging(defaults) { own, _ in own }
  }

  /// An address with the parameters of ``completeParameters(of:)``.
  ///
  /// `program` is the name of the sessions if neither the address nor the environment has one.
  ///
  /// - Throws: The errors of ``parameters(of:)``.
  package static func completed(
    _ url: String, program: String
  ) throws(PostgreSQLError) -> String {
    var parameters = try completeParameters(of: url)
    parameters["fallback_application_name"] = program
    return text(of: parameters)
  }

  private static let defaults = [
    "target_session_attrs": "read-write", "connect_timeout": "5", "tcp_user_timeout": "20000",
    // A session that waits for an answer sends nothing, so only probes show that the server's machine is gone.
    "keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "3",
  ]

  /// An address of keywords and values (PostgreSQL's manual, "Connection Strings").
  private static func text(of parameters: [String: String]) -> String {
    parameters.sorted { $0.key < $1.key }.map { name, value in
      let escaped = value.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
      return "\(name)='\(escaped)'"
    }.joined(separator: " ")
  }
}
