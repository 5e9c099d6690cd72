/// One line of an import.
package struct ImportedDevice: Hashable, Sendable {
  /// The id of the device; unless ``isNamed``, only used where no device has the token yet.
  package var id: String
  /// Whether the import names the device, which then takes the token from any device that has it.
  package var isNamed = false
  package var token: String
  package var patch: DevicePatch

  package init(id: String, token: String, patch: DevicePatch) {
    self.id = id
    self.token = token
    self.patch = patch
  }
}

/// What became of some lines of an import.
package struct StoredImport: Sendable {
  /// The ids of the lines that were refused, for their devices were erased.
  package var erased: [String] = []
  /// The ids of the devices that lost their token to a device that a line names.
  package var leftWithoutToken: [String] = []
  /// Where the import is now; `nil` where others have changed the app's devices, or had done before it.
  package var place: ImportPlace?
}

/// A place in an import up to which nobody else has changed the devices of its app, which had none.
///
/// The tokens of all devices are then those of the import's earlier lines, so that no later line has
/// one of them, and none is looked up.
package struct ImportPlace: Hashable, Sendable {
  var app: Int64
  /// The number of the last change in the log of the app's devices.
  var lastChange: Int64
}
