import PushPayload
import Testing

@testable import PushServer

@Suite("Reading another service's export in pieces")
struct VendorPiecesTests {
  static let files: [(vendor: VendorExport.Vendor, file: String)] = [
    (
      .oneSignal,
      "identifier,device_type,tags\naa,0,\"{\"\"plan\"\":\"\"gold\"\"}\"\nbb,1,\nAA,0,\n,,\ncc,0,"
    ),
    (
      .airship,
      """
      {"channels":[{"channel_id":"a","device_type":"ios","push_address":"aa","tags":["é"]}]}

      {"channels":[{"channel_id":"b","device_type":"ios","push_address":"AA"},{"device_type":"web"}]}
      """
    ),
    (
      .airship,
      """
      {
        "channels": [
          {"channel_id": "a", "device_type": "ios", "push_address": "aa"},
          {"channel_id": "b", "device_type": "ios", "push_address": ""}
        ]
      }
      """
    ),
  ]

  @Test("its devices and problems are the same however it is divided", arguments: files)
  func pieces(_ vendor: VendorExport.Vendor, _ file: String) throws {
    let bytes = Array(file.utf8)
    let whole = try VendorExport(bytes, of: vendor)
    #expect(!whole.lines.isEmpty && !whole.rejected.isEmpty)
    // The first piece has the bytes by which a file of another kind is known.
    for size in 4...bytes.count {
      var export = VendorExport(of: vendor, documentLimit: bytes.count)
      var (lines, rejected): ([UInt8], [String]) = ([], [])
      for start in stride(from: 0, to: bytes.count, by: size) {
        try export.read(Array(bytes[start..<min(bytes.count, start + size)]))
        let taken = export.take()
        lines += taken.lines
        rejected += taken.rejected.map { "\($0.line) \($0.error)" }
      }
      try export.finish()
      let rest = export.take()
      #expect(lines + rest.lines == whole.lines, "\(size)")
      #expect(
        rejected + rest.rejected.map { "\($0.line) \($0.error)" }
          == whole.rejected.map { "\($0.line) \($0.error)" }, "\(size)")
      #expect(export.skipped == whole.skipped)
    }
  }

  @Test("a document of several lines has a limit, and pages of a line each have none in all")
  func documentLimit() throws {
    let bytes = Array(Self.files[2].file.utf8)
    for (limit, isTaken) in [(bytes.count, true), (bytes.count - 1, false)] {
      var export = VendorExport(of: .airship, documentLimit: limit)
      if isTaken {
        try export.read(bytes)
        try export.finish()
      } else {
        #expect(throws: RequestError.self) { try export.read(bytes) }
      }
    }
    let line = Array("{\"channel_id\":\"a\",\"device_type\":\"web\"}\n".utf8)
    var export = VendorExport(of: .airship, documentLimit: line.count)
    for _ in 0..<3 { try export.read(line) }
    try export.finish()
    #expect(export.rejected.map(\.line) == [1, 2, 3])
  }
}
