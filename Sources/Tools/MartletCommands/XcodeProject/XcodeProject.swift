/// A project file of Xcode, parsed: its objects by their ids.
struct XcodeProject: Sendable {
  typealias ID = String

  /// An object: a dictionary with the key `isa`.
  struct Object: Sendable {
    let id: ID
    let value: OldPropertyList

    var isa: String { value["isa"]?.string ?? "" }
    func string(_ key: String) -> String? { value[key]?.string }
    func strings(_ key: String) -> [String] { value[key]?.strings ?? [] }
    var name: String { string("name") ?? string("path") ?? "" }
  }

  let bytes: [UInt8]
  let top: OldPropertyList
  let comments: [OldPropertyListParser.Comment]
  /// The dictionary of all objects.
  let list: OldPropertyList
  let objects: [ID: Object]
  /// The object of the project itself.
  let root: Object
  let objectVersion: Int

  /// The first version with Swift packages, from Xcode 11.
  static let oldestVersion = 52

  init(_ bytes: [UInt8]) throws(OldPropertyListError) {
    var parser = OldPropertyListParser(bytes)
    top = try parser.read()
    self.bytes = bytes
    comments = parser.comments
    guard let list = top["objects"], let members = list.members,
      let rootID = top["rootObject"]?.string
    else { throw OldPropertyListError(message: "it has no objects, so it is not an Xcode project") }
    self.list = list
    objects = Dictionary(
      uniqueKeysWithValues: members.map { ($0.key, Object(id: $0.key, value: $0.value)) })
    guard let root = objects[rootID], root.isa == "PBXProject" else {
      throw OldPropertyListError(message: "its rootObject is not a PBXProject")
    }
    self.root = root
    guard let version = top["objectVersion"]?.string.flatMap({ Int($0) }) else {
      throw OldPropertyListError(message: "it has no objectVersion")
    }
    objectVersion = version
  }

  func objects(_ ids: [ID]) -> [Object] { ids.compactMap { objects[$0] } }

  /// The objects of a class, in the order of the file.
  func all(_ isa: String) -> [Object] {
    (list.members ?? []).compactMap { objects[$0.key] }.filter { $0.isa == isa }
  }

  var targets: [Object] { objects(root.strings("targets")) }

  /// The build configurations of the project or of a target, in order.
  func configurations(of object: Object) -> [Object] {
    let list = object.string("buildConfigurationList").flatMap { objects[$0] }
    return objects(list?.strings("buildConfigurations") ?? [])
  }

  /// A build setting as it is written; the elements of an array are joined with spaces.
  func setting(_ key: String, of configuration: Object?) -> String? {
    guard let value = configuration?.value["buildSettings"]?[key] else { return nil }
    return value.string ?? value.strings.joined(separator: " ")
  }

  /// The phases of a target, in order.
  func phases(of target: Object) -> [Object] { objects(target.strings("buildPhases")) }
}
