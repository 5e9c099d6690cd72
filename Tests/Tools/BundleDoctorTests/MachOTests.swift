import BundleDoctor
import BundleFixtures
import Foundation
import TestSupport
import Testing

@Suite("Executables and their signatures")
struct MachOTests {
  static let claims: [String: PropertyList] = [
    "application-identifier": "TEAM123456.com.example.app", "get-task-allow": true,
    "groups": ["group.a", "group.b"], "count": 300, "below": -2, "nested": ["a": ["b": false]],
  ]

  static func layout() -> MachOLayout {
    var layout = MachOLayout()
    layout.libraries = ["@rpath/Some.framework/Some", "/usr/lib/libSystem.B.dylib"]
    layout.signature = SignatureLayout(identifier: "com.example.app", entitlements: claims)
    return layout
  }

  @Test("everything that rules need is read from thin and fat executables")
  func reading() throws {
    var layout = Self.layout()
    layout.architectures = ["arm64", "arm64e"]
    layout.minimumSystem = (16, 4)
    let slices = try MachO(Data(layout.bytes(infoPlist: Data([1])))).slices
    #expect(slices.map(\.architecture) == ["arm64", "arm64e"])
    for slice in slices {
      #expect(slice.platform == .iOS)
      #expect(slice.minimumSystem == Version("16.4"))
      #expect(slice.libraries == layout.libraries)
      #expect(slice.searchPaths == layout.searchPaths)
      let signature = try #require(slice.signature)
      #expect(signature.identifier == "com.example.app")
      #expect(signature.teamID == "TEAM123456")
      #expect(!signature.isAdHoc && signature.hasXMLEntitlements && signature.hasDEREntitlements)
      #expect(signature.entitlements == Self.claims)
      #expect(signature.infoPlistHash?.count == 32)
    }
  }

  @Test("entitlements in DER only equal those in XML")
  func der() throws {
    var layout = Self.layout()
    layout.signature?.hasXML = false
    let slice = try MachO(Data(layout.bytes(infoPlist: Data()))).slices[0]
    #expect(slice.signature?.entitlements == Self.claims)
  }

  @Test("llvm-objdump reads the executables of these tests as we do")
  func peer() async throws {
    let folder = TemporaryFolder()
    let file = try folder.write(Self.layout().bytes(infoPlist: Data()), to: "Example")
    let (status, output) = await runProgram(
      "/usr/bin/env", ["llvm-objdump", "--macho", "--private-headers", file.path])
    #expect(status == 0)
    let words = [
      "ARM64", "LC_CODE_SIGNATURE", "@rpath/Some.framework/Some", "platform ios", "minos 16.0",
    ]
    for word in words { #expect(output.contains(word)) }
  }

  @Test("an executable that is truncated anywhere is refused")
  func truncated() throws {
    let bytes = Data(try Self.layout().bytes(infoPlist: Data()))
    for count in MutationTests.places(in: bytes) {
      #expect(throws: MachOError.self) { try MachO(bytes.prefix(count)) }
    }
  }

  @Test(
    "counts above the limits are refused",
    arguments: [
      [0xca, 0xfe, 0xba, 0xbe, 0xff, 0xff, 0xff, 0xff], [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 0],
    ] as [[UInt8]])
  func counts(_ bytes: [UInt8]) {
    #expect(throws: MachOError.self) { try MachO(Data(bytes)) }
  }

  @Test(
    "versions are one to three numbers",
    arguments: [
      ("16", "16.0"), ("16.4", "16.4"), ("16.4.1", "16.4.1"), ("", nil), ("16.", nil),
      ("1.2.3.4", nil),
      ("x", nil), ("16.-1", nil),
    ] as [(String, String?)])
  func versions(_ text: String, _ written: String?) {
    #expect(Version(text)?.description == written)
  }
}
