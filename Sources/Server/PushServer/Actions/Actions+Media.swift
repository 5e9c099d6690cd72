extension Actions {
  /// Stores a file for the media of pushes, and returns the URL from which phones load it.
  ///
  /// - Throws: ``RequestError`` `.notOffered` if the server takes no uploads, and the errors of
  ///   ``Uploads/keep(_:app:at:)``.
  func upload(_ bytes: ArraySlice<UInt8>, by actor: Actor) async throws -> String {
    try actor.require(.write, to: "upload a file")
    guard let uploads else {
      throw RequestError(
        .notOffered,
        "uploads are disabled on this server; enter the URL of a file on another server")
    }
    let address = try address()
    let name = try await uploads.keep(bytes, app: try actor.ownApp(), at: clock.now())
    return address + "/media/" + name
  }

  /// The renderer of pushes as a phone shows them.
  var mediaPreview: MediaPreview {
    MediaPreview(uploads: uploads, remoteMedia: remoteMedia, clock: clock)
  }
}
