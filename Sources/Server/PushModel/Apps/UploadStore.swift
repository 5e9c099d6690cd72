/// Uploads and, if many nodes share the store, their bytes.
package protocol UploadStore: Sendable {
  /// Whether the store keeps the bytes, so that every node can serve them. Otherwise the server keeps each upload in
  /// a file.
  var keepsUploadBytes: Bool { get }
  /// Adds an upload, and its bytes if ``keepsUploadBytes`` is `true`.
  ///
  /// `quota` is the most bytes that the app's uploads may have together.
  ///
  /// - Throws: ``StoreError/Code/notFound`` if the app does not exist, ``StoreError/Code/conflict`` beyond the quota.
  func add(_ upload: Upload, bytes: ArraySlice<UInt8>, quota: Int) async throws(StoreError)
  /// An upload by its name; `nil` if it was never added, or ``Retention/uploads`` has removed it.
  func upload(_ name: String) async throws(StoreError) -> Upload?
  /// The bytes of an upload; `nil` if the store does not have them.
  func bytes(ofUpload name: String) async throws(StoreError) -> [UInt8]?
}
