/// What people uploaded and, where many nodes share the store, its bytes.
package protocol UploadStore: Sendable {
  /// Whether the bytes lie in the store, so that every node has them; otherwise the store knows of
  /// an upload, and its file is the server's to keep.
  var keepsUploadBytes: Bool { get }
  /// - Throws: ``StoreError/Code/notFound`` where there is no such app.
  func add(_ upload: Upload, bytes: ArraySlice<UInt8>) async throws(StoreError)
  /// What was added, until it is removed as ``Retention/uploads`` says, or its app is deleted.
  func upload(_ name: String) async throws(StoreError) -> Upload?
  /// All its bytes; `nil` where the store has none.
  func bytes(ofUpload name: String) async throws(StoreError) -> [UInt8]?
}
