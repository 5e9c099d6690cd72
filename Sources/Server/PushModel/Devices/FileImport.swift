package import PushPayload

/// A file of devices that somebody uploaded on a page, and its import.
///
/// The store has the file in parts, so that every node can check and import it.
package struct FileImport: Hashable, Sendable {
  package enum State: String, CaseIterable, Sendable {
    /// The file is arriving.
    case uploading
    /// The file is complete, and its columns are to be chosen.
    case uploaded
    /// A node reads the file without storing devices.
    case checking
    case checked
    /// A node stores the devices.
    case importing
    case imported
    /// A person has stopped the import; the devices that were read before are stored.
    case stopped
    /// The file as a whole cannot be read.
    case failed
  }

  package var id: String
  package var app: String
  /// The name that the browser gave the file, which is only shown.
  package var fileName: String
  /// The number of bytes of the file, and of its parts.
  package var size = 0
  package var parts = 0
  package var state = State.uploading
  /// How the file is read, in the form of the import.
  package var settings: JSONValue = [:]
  /// The counts and first problems of the last check or import; `nil` before the first one.
  package var report: JSONValue?
  /// The number of bytes that the current check or import has read.
  package var progress = 0
  /// The number of nodes that have begun the current check or import.
  package var attempts = 0
  /// The reason for which the file cannot be read, or why the import failed.
  package var problem: String?
  /// The name of the person or key that uploaded the file.
  package var uploadedBy: String?
  package var createdAt: Timestamp
  /// The time of the last step: the file is removed some time after it.
  package var changedAt: Timestamp
  /// Whether the file was removed, so that it can no longer be read.
  package var isFileRemoved = false
  /// The last line whose device the current import has stored; 0 before the first one.
  ///
  /// A node that takes the import stores only the lines behind it. The store sets it together with the devices.
  package var storedLine = 0
  /// The number of devices that the stored lines have left without a token.
  package var leftWithoutToken = 0
  /// The number of changes, by which a change that was made from an older state is refused.
  package var revision = 0

  package init(id: String, app: String, fileName: String, createdAt: Timestamp) {
    (self.id, self.app, self.fileName) = (id, app, fileName)
    (self.createdAt, changedAt) = (createdAt, createdAt)
  }

  /// The number of bytes of each part but the last.
  package static let partSize = 1 << 20
  /// The most bytes of a file.
  package static let sizeLimit = 256 << 20
  /// The most imports of an app whose file the store has.
  package static let fileLimit = 4
  /// The most nodes that begin one check or import.
  ///
  /// If each has died, the file may be the reason.
  package static let attemptLimit = 3

  /// Whether a node works on the file, or is to.
  package var isRunning: Bool { state == .checking || state == .importing }
}

extension FileImport {
  /// An order of a person.
  package enum Order: Sendable {
    case check(JSONValue)
    case start
    case stop
  }

  /// Follows an order.
  ///
  /// - Returns: `false` if the state does not allow it.
  package mutating func on(_ order: Order, at now: Timestamp) -> Bool {
    switch (order, state) {
    case (_, _) where isFileRemoved: return false
    case (.check(let settings), .uploaded), (.check(let settings), .checked),
      (.check(let settings), .failed), (.check(let settings), .stopped):
      self.settings = settings
      begin(.checking)
    case (.start, .checked), (.start, .stopped): begin(.importing)
    case (.stop, .importing): state = .stopped
    case (.stop, .checking): state = .uploaded
    case (.check, _), (.start, _), (.stop, _): return false
    }
    changedAt = now
    return true
  }

  private mutating func begin(_ state: State) {
    self.state = state
    (progress, attempts, problem, report) = (0, 0, nil, nil)
    (storedLine, leftWithoutToken) = (0, 0)
  }
}
