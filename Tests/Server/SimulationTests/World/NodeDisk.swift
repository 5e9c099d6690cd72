import Foundation
import Synchronization
import TestSupport
import _RecordedDisk

/// The disk of one node's life: the folder with the store's files, and all that the node does to them.
final class NodeDisk: Sendable {
  static let file = "martlet.sqlite"

  private let folder = TemporaryFolder()
  let recorded = RecordedDisk(waitsForSyncs: false)
  private let contents: [String: [UInt8]]
  /// The number of changes after which the node dies; `nil` if none is chosen.
  private let fatal = Mutex<Int?>(nil)

  /// Makes a disk with files that were left by the node's earlier life.
  init(_ contents: [String: [UInt8]]) throws {
    self.contents = contents
    for (name, bytes) in contents { _ = try folder.write(bytes, to: name) }
  }

  var path: String { folder.path(Self.file) }

  /// Lets the node die at a change of the disk: the first one after `count` others.
  func die(after count: Int) { fatal.withLock { $0 = recorded.position + count } }

  /// Takes back ``die(after:)``.
  func live() { fatal.withLock { $0 = nil } }

  /// The change at which the node has died; `nil` if it lives.
  var death: Int? {
    let position = recorded.position
    return fatal.withLock { $0.flatMap { $0 <= position ? $0 : nil } }
  }

  /// The files that are found after the node died at a change.
  ///
  /// - Parameters:
  ///   - position: The number of changes that were made.
  ///   - chance: What chooses among the files that are possible after a power failure; `nil` if only the process died.
  ///   - ignoresSyncs: Whether the disk says that it has synced and has not.
  func survivors(
    of position: Int, powerFailsBy chance: Chance?, ignoresSyncs: Bool = false
  ) -> [String: [UInt8]] {
    var model = PowerModel(contents)
    for event in recorded.events.prefix(position) {
      if ignoresSyncs, case .sync = event.kind { continue }
      model.on(event)
    }
    guard let chance else { return model.afterKill }
    return chance.with { model.afterPowerFailure(using: &$0) }
  }
}
