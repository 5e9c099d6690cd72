/// A change of an app's devices, which is committed together with others.
struct DeviceChange: Sendable {
  enum Edit: Sendable {
    /// Merges a patch into the device with an id, which is made where there is none.
    case update(device: String, DevicePatch, by: DeviceCaller)
    /// Merges the line of an import into the device that it names; a device that is made is not
    /// counted as an install.
    case merge(device: String, DevicePatch)
    /// Merges attributes into every device of a user; `nil` removes an attribute.
    case user(String, attributes: [String: Attribute?])
  }

  var edit: Edit
  var at: Timestamp
  /// A key that must be stored as it is here, or the change fails; `nil` needs none.
  var key: APIKey?
  /// What is written into the transaction, unless the change fails or changes no device.
  var record: ChangeRecord?

  init(_ edit: Edit, at time: Timestamp) {
    self.edit = edit
    self.at = time
  }

  /// The id of the device that the change names.
  var device: String? {
    switch edit {
    case .update(let id, _, _), .merge(let id, _): id
    case .user: nil
    }
  }

  /// The user whose devices the change is for.
  var user: String? {
    if case .user(let id, _) = edit { return id }
    return nil
  }

  /// The token that the change registers, which is taken from the device that has it.
  var token: String? {
    switch edit {
    case .update(_, let patch, _), .merge(_, let patch):
      if case .set(let token) = patch.token { return token }
      return nil
    case .user: return nil
    }
  }
}
