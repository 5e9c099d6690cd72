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
