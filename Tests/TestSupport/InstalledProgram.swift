import Foundation

/// The paths of programs that tests run as peers; `nil` where one is not installed.
package enum InstalledProgram {
  package static let openssl = find("openssl")
  package static let curl = find("curl")
  package static let h2load = find("h2load")
  package static let nghttpd = find("nghttpd")
  package static let prometheus = find("prometheus")
  package static let promtool = find("promtool")

  private static func find(_ name: String) -> String? {
    ["/usr/bin/", "/usr/sbin/", "/usr/local/bin/"].map { $0 + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
