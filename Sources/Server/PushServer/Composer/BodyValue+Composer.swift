import PushModel
import PushPayload

extension BodyValue {
  /// Compiles the payload of a send, and composes it for a device without attributes.
  ///
  /// A payload that cannot be composed for that device, but for texts that need values, cannot be composed for any.
  ///
  /// `paddingMultiple` is that of the composer's options, for a payload whose size is shown.
  ///
  /// - Throws: ``RequestError`` `.malformed` or `.invalid` with the JSON path, and for a template with line and column.
  func composed(
    at now: Timestamp, paddingMultiple: Int = 1
  ) throws(RequestError) -> (composer: Composer, sample: [UInt8]) {
    var options = Composer.Options(now: now)
    options.paddingMultiple = paddingMultiple
    let composed: (composer: Composer, sample: [UInt8])
    do throws(ComposeError) {
      let composer = try Composer(
        value, notification: Identifiers.makeObjectID(), path: path, options: options)
      composed = (composer, try composer.sample())
    } catch { throw error.requestError }
    try checkExpandedTemplate(in: composed.sample)
    return composed
  }
}
