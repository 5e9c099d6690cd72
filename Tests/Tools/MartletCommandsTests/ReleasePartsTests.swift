import Foundation
import TestSupport
import Testing

private let root = Repository.root
private let validator = root.appending(path: ".build/python/bin/pyspdxtools").path()

/// The list that `scripts/sbom/make` writes, of files that are as those of a release, with a program that has nothing of
/// Foundation.
@Suite(
  "The list of a release's parts", .timeLimit(.minutes(10)),
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: validator),
    "spdx-tools is not installed; scripts/bootstrap installs it"))
struct ReleasePartsTests {
  private let folder = TemporaryFolder()

  private func shell(_ script: String) async -> (status: Int32, output: String) {
    await runProgram(
      "/usr/bin/env",
      [
        "HOME=\(folder.url.path)", "bash", "-c",
        "set -e; exec 2>&1; cd '\(folder.url.path)'; \(script)",
      ])
  }

  /// Makes the files, and the list of them.
  private func make() async -> (status: Int32, output: String) {
    await shell(
      """
      mkdir -p .build scripts/python files package/DEBIAN Packaging
      ln -s '\(root.path)/.build/python' .build/python
      cp -r '\(root.path)/scripts/sbom' scripts/
      cp '\(root.path)/scripts/python/'{build,tests}.txt scripts/python/
      cp -r '\(root.path)/Packaging/licenses' Packaging/
      cp '\(root.path)/NOTICE' .
      git init -q . && git -c user.name=T -c user.email=t@example.com commit -q --allow-empty -m first

      printf '%s\\n' 'Package: martlet' 'Version: 1.2.3' 'Architecture: all' 'Maintainer: T <t@example.com>' \
        'Depends: zlib1g (>= 1), libc6' 'Recommends: fonts-none | x' 'Description: x' >package/DEBIAN/control
      dpkg-deb --build package files/martlet_1.2.3_all.deb >/dev/null
      mkdir -p a/licenses && touch a/licenses/swift a/licenses/icu a/licenses/zlib1g
      tar czf files/a.tar.gz a
      python3 '\(root.path)/Tests/Scripts/small_image.py' files/martlet-1.2.3.oci.tar
      echo 'print("Hello")' >hello.swift && swiftc -static-stdlib -o hello hello.swift
      SOURCE_DATE_EPOCH=1700000000 scripts/sbom/make files ./hello
      """)
  }

  @Test(
    "it is valid SPDX 2.3, and has what the files have; what NOTICE names and they lack is found")
  func list() async throws {
    let (status, output) = await make()
    #expect(status == 1, "\(output)")
    #expect(output.contains("swift-foundation is in NOTICE, and not in the files"), "\(output)")
    #expect(output.contains("libssl3 is in NOTICE, and not in the files"), "\(output)")
    #expect(!output.contains("swift is in") && !output.contains("zlib1g is in"), "\(output)")
    let path = folder.path("files/martlet-1.2.3.spdx.json")
    #expect(await runProgram(validator, ["--infile", path]).status == 0)
    struct List: Decodable {
      struct Package: Decodable { let SPDXID, name, licenseDeclared: String, versionInfo: String? }
      struct Relationship: Decodable, Hashable {
        let spdxElementId, relationshipType, relatedSpdxElement: String
      }
      struct Text: Decodable { let licenseId, extractedText: String }
      struct Creation: Decodable { let created: String }
      let creationInfo: Creation
      let packages: [Package]
      let relationships: Set<Relationship>
      let hasExtractedLicensingInfos: [Text]
    }
    let list = try JSONDecoder().decode(
      List.self, from: Data(contentsOf: folder.file("files/martlet-1.2.3.spdx.json")))
    #expect(list.creationInfo.created == "2023-11-14T22:13:20Z")
    func has(_ first: String, _ type: String, _ second: String) -> Bool {
      list.relationships.contains {
        $0.spdxElementId.hasPrefix("SPDXRef-\(first)") && $0.relationshipType == type
          && $0.relatedSpdxElement.hasPrefix("SPDXRef-\(second)")
      }
    }
    #expect(has("martlet-1.2.3-all.deb", "CONTAINS", "Swift-swift"))
    #expect(has("martlet-1.2.3-all.deb", "DEPENDS_ON", "Debian-zlib1g-"))
    #expect(has("Debian-fonts-none", "OPTIONAL_DEPENDENCY_OF", "martlet-1.2.3-all.deb"))
    #expect(has("a.tar.gz", "CONTAINS", "Debian-zlib1g-"))
    #expect(has("PyPI-jsonschema-", "TEST_TOOL_OF", "source"))
    // The second layer of the image has another version of one package, and removes another.
    #expect(has("martlet-1.2.3.oci.tar", "CONTAINS", "Debian-one-2"))
    #expect(!has("martlet-1.2.3.oci.tar", "CONTAINS", "Debian-two"))
    #expect(has("martlet-1.2.3.oci.tar", "CONTAINS", "martlet-1.2.3-all.deb"))
    let one = try #require(list.packages.first { $0.name == "one" })
    let text = list.hasExtractedLicensingInfos.first { $0.licenseId == one.licenseDeclared }
    #expect(text?.extractedText == "the terms of one")
    let unknown = list.packages.filter { $0.licenseDeclared == "NOASSERTION" }.map(\.name)
    #expect(unknown == ["fonts-none"])
  }

  @Test("the names in NOTICE are those of the libraries in the archive, and of parts of Swift")
  func notice() async throws {
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "martlet-packaged").path
    let (status, output) = await shell(
      """
      '\(root.path)/scripts/portable' '\(program)' "$PWD" >/dev/null
      diff <(tar tzf martlet-*.tar.gz | sed -n 's,.*/licenses/\\(.\\),\\1,p' | grep -vxE 'swift|icu' | sort) \
        <(sed -n 's/^- \\([a-z0-9+.-]*\\)$/\\1/p' '\(root.path)/NOTICE' | sort)
      """)
    #expect(status == 0, "\(output)")
  }
}
