import Foundation
import PushServer

/// A file with all lines of an import that were rejected or lost a part, in the form in which they are printed.
///
/// A report lists only the first lines, so the imported file is read again.
struct RejectedFile {
  private static let bufferSize = 1 << 16

  private let output: FileHandle
  private var buffer: [UInt8] = []
  private(set) var count = 0

  /// Creates an empty file.
  init(_ path: String) throws {
    try Data().write(to: URL(fileURLWithPath: path))
    output = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  /// Writes the lines of an imported file.
  ///
  /// The report's lines are written unchanged, because reading the file does not show which devices were erased.
  mutating func write(
    _ report: DeviceImport.Report, of bytes: [UInt8], as format: DeviceImport.Format
  ) throws {
    var listed = report.lines[...]
    try DeviceImport.forEachFault(of: bytes, as: format) { row in
      while let first = listed.first, first.line < row.line { try write(listed.removeFirst()) }
      try write(listed.first?.line == row.line ? listed.removeFirst() : row)
    }
    for row in listed { try write(row) }
    try finishFile(after: report)
  }

  /// Writes the lines of an export.
  mutating func write(_ report: DeviceImport.Report, faults: [DeviceImport.Report.Row]) throws {
    for row in faults { try write(row) }
    try finishFile(after: report)
  }

  private mutating func write(_ row: DeviceImport.Report.Row) throws {
    buffer += "line \(row.line): \(row.error)\n".utf8
    count += 1
    if buffer.count >= Self.bufferSize { try flush() }
  }

  private mutating func finishFile(after report: DeviceImport.Report) throws {
    let rest = report.faultCount - count
    if rest > 0 { buffer += "and \(rest) more, of devices that the server refused\n".utf8 }
    try flush()
    try output.close()
  }

  private mutating func flush() throws {
    try output.write(contentsOf: Data(buffer))
    buffer = []
  }
}
