import Foundation
import TestSupport
import Testing

@testable import MartletCommands

/// A project file of `Tests/Fixtures/xcode`, which names where each layout is from.
struct ProjectFixture: Sendable, CustomTestStringConvertible {
  let name: String
  let app: String
  let bundleID: String

  static let all = [
    ProjectFixture(name: "plain", app: "Plain", bundleID: "com.example.plain"),
    ProjectFixture(name: "synchronized", app: "Café", bundleID: "com.example.cafe"),
    ProjectFixture(name: "tests-and-scripts", app: "Shop", bundleID: "com.example.shop"),
    ProjectFixture(name: "flutter", app: "Runner", bundleID: "com.example.flutter"),
    ProjectFixture(name: "capacitor", app: "App", bundleID: "com.example.capacitor"),
    ProjectFixture(name: "react-native", app: "HelloWorld", bundleID: "org.example.hello"),
  ]

  static func named(_ name: String) -> ProjectFixture {
    all.first { $0.name == name } ?? all[0]
  }

  var testDescription: String { name }

  /// Writes a folder that is taken for Martlet's repository.
  static func writePackage(at folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(#"let package = Package(name: "martlet")"#.utf8)
      .write(to: folder.appending(path: "Package.swift"), options: .atomic)
  }

  var bytes: [UInt8] {
    get throws { Array(try Data(contentsOf: Fixtures.url("xcode/\(name).pbxproj"))) }
  }

  var project: XcodeProject { get throws { try XcodeProject(bytes) } }

  func target(_ kind: ExtensionKind = .service, package: MartletPackage = .beside)
    -> ExtensionTarget
  {
    ExtensionTarget(kind: kind, bundleID: bundleID, folder: kind.target, package: package)
  }

  /// The editor after the extension was added.
  func added(
    _ kind: ExtensionKind = .service, to bytes: [UInt8]? = nil, package: MartletPackage = .beside
  ) throws -> XcodeProjectEditor {
    let project = try XcodeProject(bytes ?? self.bytes)
    let app = project.targets.first { $0.name == self.app }
    return try target(kind, package: package).add(to: app ?? project.root, in: project)
  }

  /// Writes the project, changed by a closure, and returns the path of the `.xcodeproj`.
  ///
  /// Martlet's package is beside the folder, as the default of `--package` has it.
  func write(
    in folder: TemporaryFolder, _ change: (String) -> String = { $0 }
  ) throws -> String {
    try Self.writePackage(at: folder.url.deletingLastPathComponent().appending(path: "martlet"))
    let bundle = folder.file("\(app).xcodeproj")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let text = change(String(decoding: try bytes, as: UTF8.self))
    try Data(text.utf8).write(to: bundle.appending(path: "project.pbxproj"))
    return bundle.path
  }
}

extension XcodeProjectEditor {
  /// The file without what the editor inserted, each of which is where it should be.
  var bytesWithoutInsertions: [UInt8]? {
    var bytes = self.bytes
    for insertion in finalInsertions.reversed() {
      // Earlier insertions move the later ones, so the last is removed first.
      let moved = finalInsertions.prefix { $0.offset < insertion.offset }
        .reduce(insertion.offset) { $0 + $1.text.utf8.count }
      let before = finalInsertions.filter { $0.offset == insertion.offset }
      let inSame = before.prefix { $0.text != insertion.text }.reduce(0) { $0 + $1.text.utf8.count }
      let range = moved + inSame..<moved + inSame + insertion.text.utf8.count
      guard Array(bytes[range]) == Array(insertion.text.utf8) else { return nil }
      bytes.removeSubrange(range)
    }
    return bytes
  }
}

extension XcodeProject {
  /// The ids in strings of a value, at any depth.
  private static func strings(_ value: OldPropertyList) -> [String] {
    switch value.content {
    case .string(let text): [text]
    case .data: []
    case .array(let values): values.flatMap(strings)
    case .dictionary(let members): members.flatMap { [$0.key] + strings($0.value) }
    }
  }

  /// The strings that have the form of an id and name no object.
  var danglingReferences: [String] {
    objects.values.flatMap { Self.strings($0.value) }.filter { text in
      text.utf8.count == 24 && text.allSatisfy { $0.isHexDigit } && objects[text] == nil
    }
  }

  /// The objects to which no way leads from the project's own object.
  var unreachable: Set<ID> {
    var left = Set(objects.keys)
    var waiting = [root.id]
    while let id = waiting.popLast() {
      guard left.remove(id) != nil, let object = objects[id] else { continue }
      waiting += Self.strings(object.value).filter { objects[$0] != nil }
    }
    return left
  }

  func target(_ name: String) -> Object? { targets.first { $0.name == name } }
}
