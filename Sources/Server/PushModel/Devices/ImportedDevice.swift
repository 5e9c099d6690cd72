/// One line of an import.
package struct ImportedDevice: Hashable, Sendable {
  /// The id of the device; unless ``isNamed`` is `true`, it is used only if no device has the token yet.
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

/// The result of importing some lines of an import.
package struct StoredImport: Sendable {
  /// The ids of the lines that were refused because their devices were erased.
  package var erased: [String] = []
  /// The ids of the devices that lost their token to a device that a line names.
  package var leftWithoutToken: [String] = []
  /// The number of lines whose devices were there before, where lines are only compared.
  package var known = 0
  /// The place of the import now; `nil` if the app's devices were changed by others, before or during the import.
  package var place: ImportPlace?

  package init(place: ImportPlace? = nil) { self.place = place }
}

/// The lines of an uploaded file that one transaction stores.
///
/// The transaction fails unless they follow on the last stored line, so that no line is stored twice.
package struct ImportStep: Hashable, Sendable {
  /// The id of the file's import.
  package var file: String
  /// The last line that was stored before; 0 if these are the first lines.
  package var previousLine: Int
  /// The last of these lines.
  package var lastLine: Int
  /// The number of devices that earlier lines have left without a token, except those that these lines name.
  package var leftWithoutToken: Int

  package init(file: String, previousLine: Int, lastLine: Int, leftWithoutToken: Int) {
    (self.file, self.previousLine, self.lastLine) = (file, previousLine, lastLine)
    self.leftWithoutToken = leftWithoutToken
  }
}

/// A place in an import into an app without devices, up to which nobody else has changed the app's devices.
///
/// All tokens of the app's devices are then those of the import's earlier lines. No later line has one of them, so
/// tokens are not looked up.
package struct ImportPlace: Hashable, Sendable {
  package var app: Int64
  /// The number of the last change in the log of the app's devices.
  package var lastChange: Int64

  package init(app: Int64, lastChange: Int64) {
    (self.app, self.lastChange) = (app, lastChange)
  }
}
