package import PushPayload
import PushStore

extension API {
  /// The object that a request deletes, for the answer; `nil` where there is none.
  ///
  /// A damaged row, of the object or of another one that is read with it, is no reason to keep the object: the answer then has
  /// the object's id alone.
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
