package import MediaLoading
package import PushPayload

/// The answer to one request for a medium, as far as a preview knows it.
package enum MediaAnswer: Sendable {
  /// A server answered.
  case response(MediaResponseHead, body: Body?)
  /// The request failed without an answer.
  case failure(MediaLoadError)
  /// The server did not answer in the time that a preview gives it, so a phone is taken to wait in vain.
  case silent
  /// The answer has not come yet; the medium is shown as loading.
  case loading

  /// The body of an answer, in a file.
  package struct Body: Sendable {
    /// The path of the file.
    package var file: String
    /// Whether the medium is replayed whole; if not, its first ``MediaAnswer/beginning`` bytes are.
    package var isWhole: Bool

    package init(file: String, isWhole: Bool) {
      self.file = file
      self.isWhole = isWhole
    }
  }

  /// The bytes of a film or a sound that a preview needs: they hold the type, and in a film for streaming
  /// also its length.
  package static let beginning = 128 << 10

  /// A file on this machine, as a server answers with it.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - family: The kind of file. A picture is replayed whole, so that it is drawn.
  /// - Returns: An answer with status 200.
  package static func file(_ path: String, _ family: MediaType.Family?) -> MediaAnswer {
    .response(
      MediaResponseHead(status: 200), body: Body(file: path, isWhole: family == .image))
  }
}
