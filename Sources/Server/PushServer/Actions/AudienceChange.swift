import PushModel

/// The members of an audience that a request sets; those that are `nil` stay as they are.
struct AudienceChange: Sendable {
  var name: String?
  var isTest: Bool?
  var target: Target?
}

extension AudienceChange {
  /// Reads a new audience, which needs a name and a target.
  init(new field: BodyValue) throws(RequestError) {
    name = try SendNaming.name(try field.required("name"))
    target = try Target(try field.required("to"))
    isTest = try field["test"]?.bool()
  }

  init(_ field: BodyValue) throws(RequestError) {
    _ = try field.object()
    name = try field["name"].map { value throws(RequestError) in try SendNaming.name(value) }
    target = try field["to"].map { value throws(RequestError) in try Target(value) }
    isTest = try field["test"]?.bool()
  }
}
