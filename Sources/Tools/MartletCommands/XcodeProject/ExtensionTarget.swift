import PushPayload
import _OpenSSLCrypto

/// The target of an extension, which is added to an app's project.
struct ExtensionTarget: Sendable {
  let kind: ExtensionKind
  /// The app's bundle id; the extension's is this id followed by the target's name.
  let bundleID: String
  /// The path of the extension's files, relative to the project's folder.
  let folder: String
  let package: MartletPackage
  /// The version and build in the app's own Info.plist, for an app that does not have them in its
  /// build settings.
  var infoVersions: (version: String?, build: String?) = (nil, nil)

  /// The target's name, which is also the name of its module and product.
  var name: String { kind.target }

  static let productType = "com.apple.product-type.app-extension"
  static let appType = "com.apple.product-type.application"
  private var files: [(name: String, type: String)] {
    [
      (kind.source, "sourcecode.swift"), ("Info.plist", "text.plist.xml"),
      (kind.entitlements, "text.plist.entitlements"),
    ]
  }

  /// Adds the target, and everything that it needs, to an app's project.
  func add(
    to app: XcodeProject.Object, in project: XcodeProject
  ) throws(CommandFailure) -> XcodeProjectEditor {
    var addition = Addition(target: self, app: app, project: project)
    try addition.run()
    return addition.editor
  }

  /// The steps of adding one target.
  private struct Addition {
    let target: ExtensionTarget
    let app: XcodeProject.Object
    let project: XcodeProject
    var editor: XcodeProjectEditor

    init(target: ExtensionTarget, app: XcodeProject.Object, project: XcodeProject) {
      self.target = target
      self.app = app
      self.project = project
      editor = XcodeProjectEditor(project)
    }

    /// The id of the object with a role, which is the same in every run.
    func id(_ role: String) -> XcodeProject.ID {
      for attempt in 0... {
        let seed = "martlet\n\(target.bundleID).\(target.name)\n\(role)\n\(attempt)"
        let digits = Array(OpenSSLCrypto.sha256(Array(seed.utf8)).prefix(12)).hexadecimal
          .uppercased()
        // An object that remains from an earlier extension keeps its id.
        if project.objects[digits] == nil { return digits }
      }
      return ""
    }

    @discardableResult
    mutating func add(
      _ role: String, _ isa: String, comment: String, members: [(String, XcodeValue)]
    ) -> XcodeValue {
      let object = XcodeProjectEditor.NewObject(
        id: id(role), comment: comment, isa: isa, members: members)
      editor.add(object)
      return object.reference
    }

    mutating func run() throws(CommandFailure) {
      let product = try addProduct()
      let source = try addFiles()
      let dependency = addPackage()
      let phases = addPhases(source: source, dependency: dependency)
      let own = add(
        "target", "PBXNativeTarget", comment: target.name,
        members: [
          ("buildConfigurationList", addConfigurations()), ("buildPhases", .array(phases)),
          ("buildRules", .array([])), ("dependencies", .array([])),
          ("name", .string(target.name)), ("packageProductDependencies", .array([dependency])),
          ("productName", .string(target.name)), ("productReference", product),
          ("productType", .string(ExtensionTarget.productType)),
        ])
      editor.insert([own], into: "targets", of: project.root)
      addDependency(on: own)
      embed(product)
    }

    private mutating func addProduct() throws(CommandFailure) -> XcodeValue {
      let name = target.name + ".appex"
      let product = add(
        "product", "PBXFileReference", comment: name,
        members: [
          ("explicitFileType", .string("wrapper.app-extension")), ("includeInIndex", .string("0")),
          ("path", .string(name)), ("sourceTree", .string("BUILT_PRODUCTS_DIR")),
        ])
      let group = project.root.string("productRefGroup") ?? project.root.string("mainGroup")
      guard let group = group.flatMap({ project.objects[$0] }) else {
        throw CommandFailure("the project has no main group; open it in Xcode and save it")
      }
      editor.insert([product], into: "children", of: group)
      return product
    }

    /// Adds the group with the files, and returns the reference of the source file.
    private mutating func addFiles() throws(CommandFailure) -> XcodeValue {
      var children: [XcodeValue] = []
      for (name, type) in target.files {
        children.append(
          add(
            "file " + name, "PBXFileReference", comment: name,
            members: [
              ("lastKnownFileType", .string(type)), ("path", .string(name)),
              ("sourceTree", .string("<group>")),
            ]))
      }
      let last = target.folder.split(separator: "/").last.map(String.init) ?? target.folder
      var members: [(String, XcodeValue)] = [("children", .array(children))]
      if last != target.folder { members.append(("name", .string(last))) }
      members += [("path", .string(target.folder)), ("sourceTree", .string("SOURCE_ROOT"))]
      let group = add("group", "PBXGroup", comment: last, members: members)
      guard let main = project.root.string("mainGroup").flatMap({ project.objects[$0] }) else {
        throw CommandFailure("the project has no main group; open it in Xcode and save it")
      }
      let products = project.root.string("productRefGroup")
      let index = main.strings("children").firstIndex { $0 == products }
      editor.insert([group], into: "children", of: main, at: index)
      return children[0]
    }

    /// Adds the package if the project does not have it, and returns the dependency on its product.
    private mutating func addPackage() -> XcodeValue {
      let package = knownPackage ?? newPackage()
      return add(
        "package product", "XCSwiftPackageProductDependency", comment: target.kind.product,
        members: [("package", package), ("productName", .string(target.kind.product))])
    }

    /// The project's existing reference to Martlet's package, found by a product or by its
    /// location.
    private var knownPackage: XcodeValue? {
      let used = project.all("XCSwiftPackageProductDependency").first {
        MartletPackage.products.contains($0.string("productName") ?? "")
          && $0.string("package") != nil
      }
      let references = project.objects(project.root.strings("packageReferences"))
      let same = references.first { reference in
        switch target.package {
        case .path(let path): reference.string("relativePath") == path
        case .url(let url): reference.string("repositoryURL") == url
        }
      }
      guard let known = used?.string("package").flatMap({ project.objects[$0] }) ?? same else {
        return nil
      }
      let place = known.string("relativePath") ?? known.string("repositoryURL") ?? ""
      let name = known.isa.contains("Local") ? place : MartletPackage(place)?.name ?? place
      return .reference(known.id, comment: "\(known.isa) \"\(name)\"")
    }

    private mutating func newPackage() -> XcodeValue {
      let package: XcodeValue
      switch target.package {
      case .path(let path):
        package = add(
          "package", "XCLocalSwiftPackageReference",
          comment: "XCLocalSwiftPackageReference \"\(path)\"",
          members: [("relativePath", .string(path))])
      case .url(let url):
        package = add(
          "package", "XCRemoteSwiftPackageReference",
          comment: "XCRemoteSwiftPackageReference \"\(target.package.name)\"",
          members: [
            ("repositoryURL", .string(url)), ("requirement", .dictionary(Self.requirement)),
          ])
      }
      editor.insert([package], into: "packageReferences", of: project.root)
      return package
    }

    private static var requirement: [(String, XcodeValue)] {
      switch MartletPackage.Requirement.current {
      case .branch(let name): [("kind", .string("branch")), ("branch", .string(name))]
      case .from(let version):
        [("kind", .string("upToNextMajorVersion")), ("minimumVersion", .string(version))]
      }
    }

    private mutating func addPhases(source: XcodeValue, dependency: XcodeValue) -> [XcodeValue] {
      let (file, name) = (target.kind.source, target.kind.product)
      let compiled = add(
        "build file", "PBXBuildFile", comment: "\(file) in Sources", members: [("fileRef", source)])
      let linked = add(
        "build product", "PBXBuildFile", comment: "\(name) in Frameworks",
        members: [("productRef", dependency)])
      return [
        addPhase("Sources", [compiled]), addPhase("Frameworks", [linked]),
        addPhase("Resources", []),
      ]
    }

    private mutating func addPhase(_ name: String, _ files: [XcodeValue]) -> XcodeValue {
      add(
        "phase " + name, "PBX\(name)BuildPhase", comment: name,
        members: [
          ("buildActionMask", .string(EmbedPhase.everyBuild)), ("files", .array(files)),
          ("runOnlyForDeploymentPostprocessing", .string("0")),
        ])
    }

    private mutating func addConfigurations() -> XcodeValue {
      let settings = ExtensionSettings(target: target, app: app, project: project)
      var configurations: [XcodeValue] = []
      for configuration in project.configurations(of: project.root) {
        let name = configuration.string("name") ?? "Release"
        var members: [(String, XcodeValue)] = []
        if let base = settings.baseConfiguration {
          members.append(("baseConfigurationReference", .reference(base.id, comment: base.name)))
        }
        members.append(("buildSettings", .dictionary(settings.values(for: name))))
        members.append(("name", .string(name)))
        configurations.append(
          add("configuration " + name, "XCBuildConfiguration", comment: name, members: members))
      }
      let list = project.root.string("buildConfigurationList").flatMap { project.objects[$0] }
      let usual = list?.string("defaultConfigurationName") ?? "Release"
      return add(
        "configurations", "XCConfigurationList",
        comment: "Build configuration list for PBXNativeTarget \"\(target.name)\"",
        members: [
          ("buildConfigurations", .array(configurations)),
          ("defaultConfigurationIsVisible", .string("0")),
          ("defaultConfigurationName", .string(usual)),
        ])
    }

    private mutating func addDependency(on own: XcodeValue) {
      let proxy = add(
        "proxy", "PBXContainerItemProxy", comment: "PBXContainerItemProxy",
        members: [
          ("containerPortal", .reference(project.root.id, comment: "Project object")),
          ("proxyType", .string("1")), ("remoteGlobalIDString", .string(id("target"))),
          ("remoteInfo", .string(target.name)),
        ])
      let dependency = add(
        "dependency", "PBXTargetDependency", comment: "PBXTargetDependency",
        members: [("target", own), ("targetProxy", proxy)])
      editor.insert([dependency], into: "dependencies", of: app)
    }

    /// Adds the product to the app's phase that copies extensions in every build; the phase is
    /// created if it does not exist.
    private mutating func embed(_ product: XcodeValue) {
      let old = project.embedPhase(of: app)
      let phase = old?.name ?? project.newEmbedPhaseName(in: app)
      let file = add(
        "embedded", "PBXBuildFile", comment: "\(target.name).appex in \(phase)",
        members: [
          ("fileRef", product),
          ("settings", .dictionary([("ATTRIBUTES", .array([.string("RemoveHeadersOnCopy")]))])),
        ])
      if let old {
        editor.insert([file], into: "files", of: old.object)
        return
      }
      let added = add(
        "phase embed", "PBXCopyFilesBuildPhase", comment: phase,
        members: [
          ("buildActionMask", .string(EmbedPhase.everyBuild)), ("dstPath", .string("")),
          project.plugInsFolder, ("files", .array([file])),
          ("name", .string(phase)), ("runOnlyForDeploymentPostprocessing", .string("0")),
        ])
      // A script between compiling and copying can cause a cycle, as Flutter's does.
      let ids = app.strings("buildPhases")
      let sources = ids.firstIndex { project.objects[$0]?.isa == "PBXSourcesBuildPhase" } ?? -1
      let script = ids.indices.first {
        $0 > sources && project.objects[ids[$0]]?.isa == "PBXShellScriptBuildPhase"
      }
      editor.insert([added], into: "buildPhases", of: app, at: script)
    }
  }
}
