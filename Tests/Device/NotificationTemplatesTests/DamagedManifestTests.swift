import NotificationTemplates
import PushPayload
import Testing

@Suite("A damaged manifest")
struct DamagedManifestTests {
  /// What a template shows of the files that were prepared, with a manifest of these bytes.
  private static func prepared(_ bytes: [UInt8]) throws -> PreparedTemplate {
    let template = try PreparedTemplateTests.template()
    var files = PreparedTemplateTests.files(of: template)
    for path in files.contents.keys { files.contents[path] = bytes }
    return PreparedTemplate(template, request: "r", in: files)
  }

  private static func manifest() throws -> JSONValue {
    let template = try PreparedTemplateTests.template()
    let files = PreparedTemplateTests.files(of: template)
    return try JSONValue(parsing: try #require(files.contents.values.first))
  }

  @Test("a manifest that is cut off anywhere prepares nothing")
  func cuts() throws {
    let bytes = try Self.manifest().bytes
    for length in bytes.indices {
      let prepared = try Self.prepared(Array(bytes.prefix(length)))
      #expect(prepared.files.isEmpty && prepared.missing.count == 3)
    }
  }

  @Test("a manifest with any byte changed shows no file but those that were prepared")
  func flips() throws {
    let bytes = try Self.manifest().bytes
    let whole = try Self.prepared(bytes)
    let own = Set(whole.files.values)
    var refused = 0
    for index in bytes.indices {
      for bit in [0x01, 0x20, 0x80] as [UInt8] {
        var changed = bytes
        changed[index] ^= bit
        let prepared = try Self.prepared(changed)
        #expect(own.isSuperset(of: prepared.files.values))
        #expect(prepared.files.count + prepared.missing.count == 3)
        if prepared.files != whole.files { refused += 1 }
      }
    }
    #expect(refused > bytes.count)
  }

  static let foreign: [JSONValue] = [.null, true, -5, "later", ["later"], ["later": 1]]

  @Test(
    "a manifest whose part has another type, or another version's member, prepares nothing",
    arguments: ["version", "template", "folder", "media", "later"])
  func whole(name: String) throws {
    let members = try #require(Self.manifest().object)
    for value in Self.foreign where !(name == "media" && value.array != nil) {
      let changed = JSONValue.object(members.merging([name: value]) { $1 })
      let prepared = try Self.prepared(changed.bytes)
      #expect(prepared.files.isEmpty && prepared.missing.count == 3, "\(name) is \(value)")
    }
  }

  @Test(
    "a medium whose part has another type, or another version's member, is missing alone",
    arguments: ["id", "state", "file", "type", "bytes", "later"])
  func medium(name: String) throws {
    let members = try #require(Self.manifest().object)
    var media = try #require(members["media"]?.array)
    let first = try #require(media.first?.object)
    for value in Self.foreign {
      media[0] = .object(first.merging([name: value]) { $1 })
      let changed = JSONValue.object(members.merging(["media": .array(media)]) { $1 })
      let prepared = try Self.prepared(changed.bytes)
      #expect(prepared.missing.map(\.id) == ["1"], "\(name) is \(value)")
      #expect(prepared.missing.first?.reason == "manifest-malformed", "\(name) is \(value)")
    }
  }
}
