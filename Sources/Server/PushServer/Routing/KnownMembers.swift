import PushPayload

/// The members that the objects of a body may have, by the body's schema in the OpenAPI document.
///
/// So the document and the readers cannot disagree about a name. The elements of an array are checked if all have one
/// schema; others check their own members, or may have any.
struct KnownMembers: Sendable {
  private var names: Set<String> = []
  /// The members that are objects, in the order of their names.
  private var nested: [(name: String, members: KnownMembers)] = []
  /// The members that are arrays of objects, in the order of their names, with the members of the elements.
  private var elements: [(name: String, members: KnownMembers)] = []
  /// Whether the object has no other members.
  private var isClosed = false

  /// Reads a schema; `nil` if it is not the schema of an object.
  init?(_ schema: Schema, of schemas: [String: Schema] = OpenAPIDocument.schemas) {
    guard let members = Self.read(schema.json, of: schemas, within: []) else { return nil }
    self = members
  }

  private init() {}

  /// `references` are the names of the schemas around this one, so that a schema may contain itself.
  private static func read(
    _ json: JSONValue, of schemas: [String: Schema], within references: Set<String>
  ) -> KnownMembers? {
    if let name = json["$ref"]?.string?.split(separator: "/").last.map(String.init) {
      guard !references.contains(name), let schema = schemas[name] else { return nil }
      return read(schema.json, of: schemas, within: references.union([name]))
    }
    if let options = (json["oneOf"] ?? json["anyOf"])?.array {
      let objects = options.compactMap { read($0, of: schemas, within: references) }
      return objects.first.map { objects.dropFirst().reduce($0) { $0.merged(with: $1) } }
    }
    guard json["type"] == "object" || json["type"]?.array?.contains("object") == true else {
      return nil
    }
    var members = KnownMembers()
    members.isClosed = json["additionalProperties"] == false
    for (name, value) in (json["properties"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      members.names.insert(name)
      if let inner = read(value, of: schemas, within: references) {
        members.nested.append((name, inner))
      }
      if let inner = value["items"].flatMap({ element(of: $0, of: schemas, within: references) }) {
        members.elements.append((name, inner))
      }
    }
    return members
  }

  /// The members of the elements of an array; `nil` if they are no objects, or have one of several schemas.
  private static func element(
    of items: JSONValue, of schemas: [String: Schema], within references: Set<String>
  ) -> KnownMembers? {
    var schema = items
    if let name = items["$ref"]?.string?.split(separator: "/").last.map(String.init) {
      guard let named = schemas[name] else { return nil }
      schema = named.json
    }
    guard schema["oneOf"] == nil, schema["anyOf"] == nil else { return nil }
    return read(items, of: schemas, within: references)
  }

  /// The members of an object that has either schema.
  private func merged(with other: KnownMembers) -> KnownMembers {
    var all = self
    all.names.formUnion(other.names)
    all.isClosed = isClosed && other.isClosed
    let members = Dictionary(
      (nested + other.nested).map { ($0.name, $0.members) },
      uniquingKeysWith: { $0.merged(with: $1) })
    all.nested = members.sorted { $0.key < $1.key }.map { (name: $0.key, members: $0.value) }
    // A member that is an array of objects in one schema, and something else in the other, is left out.
    all.elements = all.names.sorted().compactMap { name in
      let (own, others) = (elementMembers(name), other.elementMembers(name))
      if let own, let others { return (name, own.merged(with: others)) }
      if let own, !other.names.contains(name) { return (name, own) }
      if let others, !names.contains(name) { return (name, others) }
      return nil
    }
    return all
  }

  private func elementMembers(_ name: String) -> KnownMembers? {
    elements.first { $0.name == name }?.members
  }

  /// Checks the members of a value, if it is an object.
  ///
  /// - Throws: ``RequestError`` `.invalid` for the first unknown member, with the name that it most likely means.
  func check(_ field: BodyValue) throws(RequestError) { try check(field, outer: nil) }

  private func check(
    _ field: BodyValue, outer: (path: String, names: Set<String>)?
  ) throws(RequestError) {
    guard let object = field.value.object else { return }
    if isClosed, let name = object.keys.filter({ !names.contains($0) }).min() {
      let inner = nested.first { $0.members.names.contains(name) }
      throw .unknown(
        field.path(to: name), name, knows: names, outer: outer,
        inner: inner.map { field.path(to: $0.name) })
    }
    for (name, members) in nested {
      guard let value = object[name] else { continue }
      try members.check(field.member(name, value), outer: (field.path, names))
    }
    for (name, members) in elements {
      guard let value = object[name], value.array != nil else { continue }
      for element in try field.member(name, value).elements() {
        try members.check(element, outer: (field.path, names))
      }
    }
  }
}
