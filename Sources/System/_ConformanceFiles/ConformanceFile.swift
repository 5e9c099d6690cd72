import CConformance

/// A file of rules from the folder `Conformance` of the repository, embedded in the binary.
package struct ConformanceFile: Sendable {
  /// The path below `Conformance`, such as `server/requests.json`.
  package let name: String
  package let bytes: [UInt8]

  /// All files of rules.
  package static let all: [ConformanceFile] = {
    var files: [ConformanceFile] = []
    while let raw = unsafe martlet_conformance_file(files.count) {
      unsafe files.append(
        ConformanceFile(
          name: String(cString: raw.pointee.name),
          bytes: Array(UnsafeBufferPointer(start: raw.pointee.bytes, count: raw.pointee.count))))
    }
    return files
  }()
}
