import _PostgreSQL

extension PostgreSQLError.Code {
  /// The maximum number of times that a transaction with this error runs.
  ///
  /// Another attempt may succeed if the transaction lost against another one, or the connection broke before the
  /// commit.
  var attemptLimit: Int {
    switch self {
    case .serializationFailure, .deadlockDetected: 10
    // A node that stood still in a transaction, such as a suspended machine, has written nothing.
    case .uniqueViolation, .readOnlyTransaction, .idleInTransactionTimeout: 3
    default: family == "08" || family == "57" ? 3 : 1
    }
  }
}
