import PushModel

/// The members of an audience that a request sets; those that are `nil` stay as they are.
struct AudienceChange: Sendable {
  enum Conditions: Sendable {
    case target(Target)
    /// Filters in place of the stored ones; the parts beside them stay.
    case filters([Filter])
  }

  var name: String?
  var isTest: Bool?
  var conditions: Conditions?
}

extension AudienceChange {
  /// Reads a new audience, which needs a name and a target.
  init(new field: BodyValue) throws(RequestError) {
    name = try SendNaming.name(try field.required("name"))
    conditions = .target(try Target(try field.required("to")))
    isTest = try field["test"]?.bool()
  }

  init(_ field: BodyValue) throws(RequestError) {
    _ = try field.object()
    name = try field["name"].map { value throws(RequestError) in try SendNaming.name(value) }
    conditions = try field["to"].map { value throws(RequestError) in .target(try Target(value)) }
    isTest = try field["test"]?.bool()
  }
}
