/// The uploaded files of devices, and their imports.
package protocol FileImportStore: Sendable {
  /// Adds an import whose file begins to arrive.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if the app has ``FileImport/fileLimit`` imports with a file, and
  ///   ``StoreError/Code/notFound`` if the app does not exist.
  func add(_ new: FileImport) async throws(StoreError)
  /// Adds the next part of a file that is arriving.
  ///
  /// - Throws: ``StoreError/Code/notFound`` if the import was removed meanwhile.
  func append(
    _ bytes: [UInt8], as part: Int, toImport id: String, app: String
  ) async throws(StoreError)
  /// The bytes of a part, from 0; `nil` if the store does not have it.
  func part(_ part: Int, ofImport id: String, app: String) async throws(StoreError) -> [UInt8]?
  func fileImport(_ id: String, app: String) async throws(StoreError) -> FileImport?
  /// The imports of an app, the newest first.
  func fileImports(app: String, limit: Int) async throws(StoreError) -> [FileImport]
  /// Stores a change of an import, unless another change was stored since `changed` was read.
  ///
  /// A node that works on the import holds it for `time`, after which another node may take it. Without a time, an
  /// import that is running waits for a node. What is known of the stored lines is set only while the import does
  /// not run: an ``ImportStep`` changes it.
  ///
  /// - Returns: The import with its new revision; `nil` if it has changed or was removed.
  func update(
    _ changed: FileImport, holdingFor time: Duration?, at now: Timestamp
  ) async throws(StoreError) -> FileImport?
  /// Takes an import that is running and that no node holds, and counts the attempt.
  ///
  /// `id` is the id of the import to take; `nil` takes the one that has waited longest.
  func takeImport(
    _ id: String?, at now: Timestamp, for time: Duration
  ) async throws(StoreError) -> FileImport?
  /// Removes the file of an import that is not running; what is known of the import stays.
  ///
  /// - Returns: Whether the import exists and is not running.
  func removeFile(ofImport id: String, app: String) async throws(StoreError) -> Bool
}
