extension API {
  /// The renderer of pushes as a phone shows them.
  var mediaPreview: MediaPreview {
    MediaPreview(uploads: uploads, remoteMedia: remoteMedia, clock: clock)
  }
}
