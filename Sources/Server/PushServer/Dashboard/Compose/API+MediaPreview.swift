extension API {
  /// Draws pushes as a phone shows them, for the pages.
  var mediaPreview: MediaPreview {
    MediaPreview(uploads: uploads, remoteMedia: remoteMedia, clock: clock)
  }
}
