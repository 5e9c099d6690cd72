package import Foundation
import NotificationTemplates

/// The files of an app group's container, for reading a ``PreparedTemplate``.
package struct AppGroupFiles: TemplateFiles {
  private let container: URL

  /// Creates the access to a container.
  package init(container: URL) { self.container = container }

  package func bytes(of path: String, atMost limit: Int) -> [UInt8]? {
    OwnFile.bytes(of: url(path), atMost: limit)
  }

  package func size(of path: String) -> Int64? { OwnFile.size(url(path)) }

  /// The file with a path of ``PreparedTemplate/files``.
  package func url(_ path: String) -> URL {
    container.appending(path: path, directoryHint: .notDirectory)
  }
}
