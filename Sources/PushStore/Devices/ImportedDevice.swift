/// One line of an import: what is known of a token.
package struct ImportedDevice: Hashable, Sendable {
  /// The id the device gets if no device has the token yet; with ``isNamed``, the device's own.
  package var id: String
  /// Whether the import names the device: then it takes the token, whoever has it.
  package var isNamed = false
  package var token: String
  package var patch: DevicePatch

  package init(id: String, token: String, patch: DevicePatch) {
    self.id = id
    self.token = token
    self.patch = patch
  }
}
