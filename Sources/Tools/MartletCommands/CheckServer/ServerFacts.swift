import PushModel
import PushStore

/// The facts about a machine and its settings that `martlet check-server` reads; ``checks`` evaluates them.
struct ServerFacts: Sendable {
  /// A file that only its owner should read.
  struct SecretFile: Sendable {
    /// The role of the file, such as `secret key`.
    var role: String
    var path: String
    /// The permission bits; `nil` if the file does not exist.
    var mode: UInt32?
  }

  /// The file system of a folder.
  struct Disk: Sendable {
    var folder: String
    var freeBytes: Int64
    /// The type of the file system, such as `ext4`; `nil` if it is unknown.
    var kind: String?
    /// Whether it contains a SQLite database.
    var holdsDatabase: Bool
  }

  /// A host of APNs, and its answer.
  struct Host: Sendable {
    enum Answer: Sendable {
      case answered(milliseconds: Int)
      case none(String)
    }

    /// The host and port.
    var name: String
    /// The proxy for the connection, as host and port.
    var proxy: String?
    var answer: Answer
  }

  enum Database: Sendable {
    /// The database does not exist yet, or `serve` will migrate it to this version.
    case new(String)
    case sqlite(String)
    case postgreSQL(PostgreSQLServerSettings)
    case failed(String)
  }

  /// The time of this machine, in milliseconds since 1970.
  var now: Int64
  /// The problems with environment variables.
  var unknownVariables: [String] = []
  /// The files in the settings that cannot be used.
  var unusableFiles: [String] = []
  var secretFiles: [SecretFile] = []
  /// The reason why the secret key does not fit the store; `nil` if it fits.
  var secretKeyProblem: String?
  /// The certificate of `--tls-cert`, and the time at which it expires in seconds since 1970.
  var certificate: (path: String, notAfter: Int64)?
  var disks: [Disk] = []
  /// The most files that the process may open.
  var descriptors: Int
  /// Whether a time service synchronizes the clock; `nil` if the system does not say.
  var isClockSynchronized: Bool?
  var database: Database
  var hosts: [Host] = []
}
