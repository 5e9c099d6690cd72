import Foundation
import TestSupport

@testable import PushStore

/// The file of a store without rows, which each world copies: its schema has hundreds of statements.
enum EmptyStore {
  static let files = Result<[String: [UInt8]], any Error> {
    let folder = TemporaryFolder()
    let path = folder.path(NodeDisk.file)
    // The last connection to close empties the log.
    do { _ = try SQLitePushStore(path: path) }
    return [NodeDisk.file: Array(try Data(contentsOf: URL(filePath: path)))]
  }
}
