import PushModel
package import PushPayload

extension Router {
  /// The object that a request deletes, for the answer; `nil` if it does not exist.
  ///
  /// A damaged row, of the object or of another one that is read with it, must not prevent the deletion. The answer
  /// then has only the object's id.
  package static func deletedObject(
    _ id: String, _ read: () async throws -> JSONValue?
  ) async throws -> JSONValue? {
    do {
      return try await read()
    } catch let error as StoreError where error.code == .damaged {
      return ["id": .string(id)]
    }
  }
}
