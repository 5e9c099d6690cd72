import PushStore

/// What `martlet check-server` has read of a machine and its settings; ``checks`` judges it.
struct ServerFacts: Sendable {
  /// A file that only its owner should read.
  struct SecretFile: Sendable {
    /// What it is: `secret key`.
    var role: String
    var path: String
    /// The permission bits; `nil` where there is no file.
    var mode: UInt32?
  }

  /// The file system of a folder.
  struct Disk: Sendable {
    var folder: String
    var freeBytes: Int64
    /// The type of the file system, such as `ext4`; `nil` where it is not known.
    var kind: String?
    /// Whether a SQLite database is there.
    var holdsDatabase: Bool
  }

  /// A host of APNs, and what it answered.
  struct Host: Sendable {
    enum Answer: Sendable {
      case answered(milliseconds: Int)
      case none(String)
    }

    /// The host and port.
    var name: String
    /// The proxy on the way, as host and port.
    var proxy: String?
    var answer: Answer
  }

  enum Database: Sendable {
    /// There is none yet, or one that `serve` brings to this version.
    case new(String)
    case sqlite(String)
    case postgreSQL(PostgreSQLServerSettings)
    case failed(String)
  }

  /// The time of this machine, in milliseconds since 1970.
  var now: Int64
  /// What is wrong with variables of the environment.
  var unknownVariables: [String] = []
  /// Files that the settings name and that cannot be used.
  var unusableFiles: [String] = []
  var secretFiles: [SecretFile] = []
  /// Why the secret key does not fit the store; `nil` where it does.
  var secretKeyProblem: String?
  /// The certificate of `--tls-cert`, and when it ends in seconds since 1970.
  var certificate: (path: String, notAfter: Int64)?
  var disks: [Disk] = []
  /// The files that the process may open at most.
  var descriptors: Int
  /// Whether a time service keeps the clock right; `nil` where the system does not say.
  var isClockSynchronized: Bool?
  var database: Database
  var hosts: [Host] = []
}
