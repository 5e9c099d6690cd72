import CPostgreSQL

/// Addresses in libpq's form.
package enum PostgreSQLAddress {
  /// The parameters that an address sets, by libpq's names, such as `host` and `dbname`.
  ///
  /// - Throws: ``PostgreSQLError`` for a text that libpq does not read, which it does not repeat.
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
}
