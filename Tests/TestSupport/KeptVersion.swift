#if os(Linux)
  import Foundation

  /// The stores of a released version, which `scripts/keep-version` made with its program.
  package struct KeptVersion: Sendable, CustomStringConvertible {
    package enum Database: String, CaseIterable, Sendable { case sqlite, postgresql }

    package let version: String
    package let database: Database
    private let archive: URL

    package var description: String { "\(version), \(database.rawValue)" }

    /// The versions of `Tests/Fixtures/versions` in both databases.
    package static let all: [KeptVersion] = {
      let root = Fixtures.url("versions")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
      return names.sorted().flatMap { name in
        Database.allCases.map { database in
          KeptVersion(
            version: name, database: database,
            archive: root.appending(path: "\(name)/\(database.rawValue).tar.gz"))
        }
      }
    }()

    /// Those of one database.
    package static func all(in database: Database) -> [KeptVersion] {
      all.filter { $0.database == database }
    }

    /// Unpacks the data directory `data`, `answers.json` and for PostgreSQL `dump.sql` into a folder.
    package func unpack(into folder: TemporaryFolder) async throws {
      let (status, output) = await runProgram(
        "/bin/tar", ["-xzf", archive.path, "--no-same-owner", "-C", folder.url.path])
      guard status == 0 else { throw KeptVersionError(description: "\(self): tar: \(output)") }
    }
  }

  struct KeptVersionError: Error, CustomStringConvertible {
    let description: String
  }
#endif
