import PushPayload
import PushStore

extension BodyValue {
  /// The payload as it will be composed, and what a device gets of which nothing is known: what cannot
  /// be composed for that one cannot be for any.
  ///
  /// - Throws: ``APIError`` 400 or 422 with the JSON path, of a template with line and column.
  func composed(at now: Timestamp) throws(APIError) -> (composer: Composer, sample: [UInt8]) {
    do throws(ComposeError) {
      let composer = try Composer(
        value, notification: Identifiers.makeObjectID(), path: path, options: .init(now: now))
      return (composer, try composer.sample())
    } catch { throw error.apiError }
  }
}
