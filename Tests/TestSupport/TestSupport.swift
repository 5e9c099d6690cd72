package import Foundation

/// The folder of the package, in which tests read documents, sources and scripts.
package enum Repository {
  package static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The URL of a file or folder by its path from the package's root.
  package static func url(_ path: String) -> URL { root.appending(path: path) }
}

/// Files kept under `Tests/Fixtures`.
package enum Fixtures {
  package static let folder = Repository.url("Tests/Fixtures")

  package static func url(_ path: String) -> URL { folder.appending(path: path) }

  package static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: url(path)))
  }
}

/// A folder of its own for one test, removed with the object.
package final class TemporaryFolder: Sendable {
  package let url: URL

  /// Where the folder cannot be made, writing to it says so.
  package init() {
    url = FileManager.default.temporaryDirectory.appending(
      path: "martlet-tests/\(UUID().uuidString)", directoryHint: .isDirectory)
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package func file(_ name: String) -> URL { url.appending(path: name) }

  package func path(_ name: String) -> String { file(name).path }

  /// Writes a text and says where it is.
  package func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: file(name))
    return path(name)
  }

  package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> URL {
    try Data(bytes).write(to: file(name))
    return file(name)
  }

  /// The names of what lies in it, sorted.
  package var contents: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path())) ?? []).sorted()
  }
}

/// Random numbers that repeat: a failing case is found again by its seed.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  package init(seed: UInt64) { state = seed }

  /// SplitMix64.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Waits for what is to be seen soon; ends with the test, whose time limit is the limit of this.
package func until(_ isSo: () async throws -> Bool) async throws {
  while try await !isSo() {
    try Task.checkCancellation()
    await Task.yield()
  }
}
