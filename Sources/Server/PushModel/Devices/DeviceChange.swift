/// A change of an app's devices, which is committed together with other changes.
package struct DeviceChange: Sendable {
  package enum Edit: Sendable {
    /// Merges a patch into the device with an id, and creates the device if it does not exist.
    case update(device: String, DevicePatch, by: DeviceCaller)
    /// Merges a line of an import into the device that it names; a new device does not count as an install.
    case merge(device: String, DevicePatch)
    /// Merges attributes into every device of a user; `nil` removes an attribute.
    case user(String, attributes: [String: Attribute?])
  }

  var edit: Edit
  package var at: Timestamp
  /// The record that is written in the same transaction, unless the change fails or changes no device.
  package var record: ChangeRecord?

  package init(_ edit: Edit, at time: Timestamp) {
    self.edit = edit
    self.at = time
  }

  /// The id of the device that the change names.
  package var device: String? {
    switch edit {
    case .update(let id, _, _), .merge(let id, _): id
    case .user: nil
    }
  }

  /// The user whose devices the change affects.
  package var user: String? {
    if case .user(let id, _) = edit { return id }
    return nil
  }

  /// The token that the change registers, and takes from the device that has it.
  package var token: String? {
    switch edit {
    case .update(_, let patch, _), .merge(_, let patch):
      if case .set(let token) = patch.token { return token }
      return nil
    case .user: return nil
    }
  }
}
