import Foundation
import TestSupport
import Testing

@testable import MartletCommands

@Suite("The extension's target in an Xcode project", .timeLimit(.minutes(10)))
struct ExtensionTargetTests {
  @Test(
    "every reference leads to an object, and every object is reached", arguments: ProjectFixture.all
  )
  func whole(_ fixture: ProjectFixture) throws {
    let before = try fixture.project
    #expect(before.danglingReferences == [] && before.unreachable == [])
    let after = try XcodeProject(fixture.added().bytes)
    #expect(after.danglingReferences == [])
    #expect(after.unreachable == [])
    #expect(after.objects.count > before.objects.count + 15)
    #expect(after.targets.count == before.targets.count + 1)
  }

  @Test("without the insertions the file is as it was", arguments: ProjectFixture.all)
  func untouched(_ fixture: ProjectFixture) throws {
    let service = try fixture.added()
    #expect(try service.bytesWithoutInsertions == fixture.bytes)
    let content = try fixture.added(.content, to: service.bytes)
    #expect(content.bytesWithoutInsertions == service.bytes)
  }

  @Test("every object that was there has the same values, but for additions to lists")
  func sameValues() throws {
    for fixture in ProjectFixture.all {
      let before = try fixture.project
      let after = try XcodeProject(fixture.added().bytes)
      for (id, object) in before.objects {
        for member in object.value.members ?? [] {
          let new = after.objects[id]?.value[member.key]
          let old = member.value
          if let list = old.array {
            #expect(Set(list.compactMap(\.string)).isSubset(of: new?.strings ?? []))
          } else {
            #expect(new?.string == old.string)
            #expect(new?.members?.map(\.key) == old.members?.map(\.key))
          }
        }
      }
    }
  }

  @Test("two runs on the same file make the same ids, for another app others")
  func deterministic() throws {
    let plain = ProjectFixture.named("plain")
    #expect(try plain.added().bytes == plain.added().bytes)
    let other = ProjectFixture(name: "plain", app: "Plain", bundleID: "com.example.other")
    let new = { (fixture: ProjectFixture) in
      try Set(XcodeProject(fixture.added().bytes).objects.keys).subtracting(
        plain.project.objects.keys)
    }
    #expect(try new(plain).isDisjoint(with: new(other)))
    #expect(try new(plain).allSatisfy { $0.utf8.count == 24 && $0.allSatisfy(\.isHexDigit) })
  }

  @Test("the target has the product type, phases, product and package of a service extension")
  func target() throws {
    for fixture in ProjectFixture.all {
      let project = try XcodeProject(fixture.added().bytes)
      let target = try #require(project.target("NotificationService"))
      #expect(target.isa == "PBXNativeTarget")
      #expect(target.string("productType") == "com.apple.product-type.app-extension")
      let phases = project.phases(of: target)
      #expect(
        phases.map(\.isa) == [
          "PBXSourcesBuildPhase", "PBXFrameworksBuildPhase", "PBXResourcesBuildPhase",
        ])
      let source = project.objects(phases[0].strings("files")).first?.string("fileRef")
      #expect(source.flatMap { project.objects[$0] }?.name == "NotificationService.swift")
      let linked = project.objects(phases[1].strings("files")).first?.string("productRef")
      #expect(linked == target.strings("packageProductDependencies").first)
      let product = try #require(linked.flatMap { project.objects[$0] })
      #expect(product.string("productName") == "RichNotifications")
      #expect(project.root.strings("packageReferences").contains(product.string("package") ?? ""))
      let reference = target.string("productReference").flatMap { project.objects[$0] }
      #expect(reference?.string("path") == "NotificationService.appex")
    }
  }

  @Test("the app depends on the extension and embeds it once, in PlugIns")
  func embedding() throws {
    for fixture in ProjectFixture.all {
      let project = try XcodeProject(fixture.added().bytes)
      let app = try #require(project.target(fixture.app))
      let target = try #require(project.target("NotificationService"))
      let dependency = try #require(
        project.objects(app.strings("dependencies")).first { $0.string("target") == target.id })
      let proxy = try #require(dependency.string("targetProxy").flatMap { project.objects[$0] })
      #expect(proxy.string("remoteGlobalIDString") == target.id)
      #expect(proxy.string("containerPortal") == project.root.id)
      let copies = project.phases(of: app).filter { $0.string("dstSubfolderSpec") == "13" }
      #expect(copies.count == 1)
      let files = project.objects(copies.flatMap { $0.strings("files") })
      let embedded = files.filter { $0.string("fileRef") == target.string("productReference") }
      #expect(embedded.count == 1)
      #expect(embedded.first?.value["settings"]?["ATTRIBUTES"]?.strings == ["RemoveHeadersOnCopy"])
    }
  }

  @Test(
    "a new embedding stands after the sources and before the scripts that follow them",
    arguments: [
      ("flutter", "Thin Binary"), ("react-native", "Bundle React Native code and images"),
    ])
  func order(_ name: String, _ script: String) throws {
    let fixture = ProjectFixture.named(name)
    let project = try XcodeProject(fixture.added().bytes)
    let names = project.phases(of: try #require(project.target(fixture.app))).map {
      $0.string("name") ?? $0.isa
    }
    let index = try #require(names.firstIndex(of: "Embed Foundation Extensions"))
    #expect(names[index + 1] == script)
    #expect(try #require(names.firstIndex(of: "PBXSourcesBuildPhase")) < index)
  }

  @Test("there is a configuration for each of the project's, with the settings of project.yml")
  func settings() throws {
    for fixture in ProjectFixture.all {
      let project = try XcodeProject(fixture.added().bytes)
      let target = try #require(project.target("NotificationService"))
      let configurations = project.configurations(of: target)
      #expect(configurations.map(\.name) == project.configurations(of: project.root).map(\.name))
      for configuration in configurations {
        let setting = { project.setting($0, of: configuration) }
        #expect(setting("INFOPLIST_FILE") == "NotificationService/Info.plist")
        #expect(
          setting("CODE_SIGN_ENTITLEMENTS")
            == "NotificationService/NotificationService.entitlements")
        #expect(setting("GENERATE_INFOPLIST_FILE") == "NO")
        #expect(setting("APPLICATION_EXTENSION_API_ONLY") == "YES")
        #expect(setting("ALWAYS_EMBED_SWIFT_STANDARD_LIBRARIES") == "NO")
        #expect(setting("SKIP_INSTALL") == "YES")
        #expect(
          setting("LD_RUNPATH_SEARCH_PATHS")?.hasSuffix("@executable_path/../../Frameworks") == true
        )
        #expect(setting("PRODUCT_BUNDLE_IDENTIFIER")?.hasSuffix(".NotificationService") == true)
        #expect(setting("PRODUCT_BUNDLE_IDENTIFIER")?.contains("$") == false)
      }
    }
  }

  @Test("team, deployment target, versions and bundle id follow the app's in each configuration")
  func following() throws {
    let settings = { (name: String, key: String) throws -> [String?] in
      let project = try XcodeProject(ProjectFixture.named(name).added().bytes)
      let target = try #require(project.target("NotificationService"))
      return project.configurations(of: target).map { project.setting(key, of: $0) }
    }
    #expect(try settings("plain", "DEVELOPMENT_TEAM") == ["PLAIN12345", "PLAIN12345"])
    // The app's target has none, so both have the project's.
    #expect(try settings("plain", "IPHONEOS_DEPLOYMENT_TARGET") == [nil, nil])
    #expect(try settings("capacitor", "IPHONEOS_DEPLOYMENT_TARGET") == ["15.0", "15.0"])
    #expect(try settings("plain", "MARKETING_VERSION") == ["1.2", "1.2"])
    #expect(
      try settings("tests-and-scripts", "PRODUCT_BUNDLE_IDENTIFIER") == [
        "com.example.shop.debug.NotificationService",
        "com.example.shop.staging.NotificationService", "com.example.shop.NotificationService",
      ])
    #expect(try settings("tests-and-scripts", "CODE_SIGN_STYLE") == ["Manual", "Manual", "Manual"])
    // An older project notes the team among its own attributes.
    #expect(try settings("flutter", "DEVELOPMENT_TEAM").first == "FLUTTER123")
    #expect(try settings("flutter", "MARKETING_VERSION").first == "$(FLUTTER_BUILD_NAME)")
    #expect(
      try settings("react-native", "PRODUCT_BUNDLE_IDENTIFIER").first
        == "org.example.hello.NotificationService")
  }

  @Test("Flutter's generated settings are the base of the extension's, and no other's are")
  func baseConfiguration() throws {
    for fixture in ProjectFixture.all {
      let project = try XcodeProject(fixture.added().bytes)
      let target = try #require(project.target("NotificationService"))
      let bases = project.configurations(of: target).map {
        $0.string("baseConfigurationReference").flatMap { project.objects[$0] }?.name
      }
      let expected = fixture.name == "flutter" ? "Generated.xcconfig" : nil
      #expect(bases.allSatisfy { $0 == expected })
    }
  }

  @Test("a package is local or remote, and one that the project has is used again")
  func package() throws {
    let fixture = ProjectFixture.named("plain")
    let url = "https://example.com/team/martlet.git"
    let remote = try XcodeProject(fixture.added(package: .url(url)).bytes)
    let reference = try #require(remote.all("XCRemoteSwiftPackageReference").first)
    #expect(reference.string("repositoryURL") == url)
    let requirement = try #require(reference.value["requirement"])
    let expected = Martlet.isTagged ? ("minimumVersion", Martlet.version) : ("branch", "main")
    #expect(requirement[expected.0]?.string == expected.1)
    let local = try XcodeProject(fixture.added().bytes)
    #expect(
      local.all("XCLocalSwiftPackageReference").map { $0.string("relativePath") } == ["../martlet"])
    // An app that links a product of Martlet already has its package, wherever that is.
    let capacitor = ProjectFixture.named("capacitor")
    let text = String(decoding: try capacitor.bytes, as: UTF8.self)
      .replacing("productName = \"CapApp-SPM\"", with: "productName = PushPayload")
    let known = try XcodeProject(capacitor.added(to: Array(text.utf8)).bytes)
    #expect(known.all("XCLocalSwiftPackageReference").count == 1)
    #expect(known.all("XCSwiftPackageProductDependency").count == 2)
    #expect(known.danglingReferences == [] && known.unreachable == [])
  }

  @Test("lines end as those of the file do")
  func lineEnds() throws {
    let fixture = ProjectFixture.named("tests-and-scripts")
    let windows = String(decoding: try fixture.bytes, as: UTF8.self).replacing("\n", with: "\r\n")
    let text = String(decoding: try fixture.added(to: Array(windows.utf8)).bytes, as: UTF8.self)
    #expect(
      text.unicodeScalars.count { $0 == "\n" } == text.components(separatedBy: "\r\n").count - 1)
    let unix = try fixture.added().bytes
    #expect(!unix.contains(UInt8(ascii: "\r")))
  }

  @Test("a file without comments, in one line, and without trailing commas is edited too")
  func otherForms() throws {
    for fixture in ProjectFixture.all {
      let text = String(decoding: try fixture.bytes, as: UTF8.self)
      let bare = text.replacing(/\/\*.*?\*\//, with: "")
      let noCommas = bare.replacing(/,(\s*\))/) { "\($0.output.1)" }
      let line = noCommas.replacing(/\n\t*/, with: " ").replacing("// !$*UTF8*$! ", with: "")
      for form in [bare, noCommas, line] {
        let editor = try fixture.added(to: Array(form.utf8))
        let after = try XcodeProject(editor.bytes)
        #expect(after.danglingReferences == [] && after.unreachable == [])
        #expect(after.target("NotificationService") != nil)
        let app = try #require(after.target(fixture.app))
        let before = try XcodeProject(Array(form.utf8))
        #expect(
          after.phases(of: app).count
            == before.phases(of: try #require(before.target(fixture.app))).count
            + (fixture.name == "tests-and-scripts" ? 0 : 1))
      }
    }
  }
}
