package import PushPayload

/// Access to the files of an app group's container, which a ``PreparedTemplate`` is read from.
package protocol TemplateFiles {
  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file, relative to the container.
  ///   - limit: The most bytes that it may have.
  /// - Returns: Its bytes; `nil` if the file does not exist, cannot be read, or has more bytes.
  func bytes(of path: String, atMost limit: Int) -> [UInt8]?

  /// The size of a file in bytes; `nil` if the file does not exist or is a link.
  func size(of path: String) -> Int64?
}

/// A template as it can be shown with the media that the service extension has prepared.
///
/// ```swift
/// let prepared = PreparedTemplate(template, request: notification.request.identifier, in: files)
/// let layout = TemplateLayout(prepared.template, in: environment, measuring: measurer)
/// ```
package struct PreparedTemplate: Hashable, Sendable {
  /// A medium that cannot be shown.
  package struct Missing: Hashable, Sendable {
    /// The ``TemplateMedia/id``.
    package var id: String
    /// The reason as a code: one of the engine, such as `http-status`, or one of ``ManifestError/Code``.
    package var reason: String

    package init(id: String, reason: String) {
      self.id = id
      self.reason = reason
    }
  }

  /// The template without the missing media, as ``NotificationTemplate/keeping(where:)`` returns it.
  package private(set) var template: NotificationTemplate
  /// The files by the identifiers of their media, relative to the app group's container.
  package private(set) var files: [String: String] = [:]
  /// The sizes in pixels of the pictures that are known, for ``TemplateEnvironment/pictureSizes``.
  package private(set) var pictureSizes: [String: TemplateSize] = [:]
  /// The media that are missing, in the order in which the template needs them.
  package private(set) var missing: [Missing] = []

  /// Reads the prepared media of a template.
  ///
  /// - Parameters:
  ///   - template: The template of the notification's payload.
  ///   - request: The identifier of the notification request.
  ///   - message: The sending service's identifier of the message, which finds a notification without a request.
  ///   - source: The app group's container.
  package init(
    _ template: NotificationTemplate, request: String, message: String? = nil,
    in source: some TemplateFiles
  ) {
    self.template = template
    let media = template.media
    guard !media.isEmpty else { return }
    let manifest: MediaManifest
    do throws(ManifestError) {
      manifest = try Self.manifest(
        of: template, named: MediaManifest.names(request: request, message: message), in: source)
    } catch {
      missing = media.map { Missing(id: $0.id, reason: error.code.rawValue) }
      self.template = template.keeping { _ in false }
      return
    }
    let states = Dictionary(manifest.media.map { ($0.id, $0.state) }) { first, _ in first }
    for medium in media {
      switch states[medium.id] {
      case .ready(let file)?: add(file, of: medium, in: manifest.folder, source)
      case .missing(let reason)?: missing.append(Missing(id: medium.id, reason: reason))
      case nil:
        let code = ManifestError.Code.malformed
        missing.append(Missing(id: medium.id, reason: code.rawValue))
      }
    }
    self.template = template.keeping { files[$0.id] != nil }
  }

  /// Reads the attached media of a template, for an app without an app group.
  ///
  /// An attachment has the identifier that the payload gives it, or else that of the first medium with its URL. ``files`` then
  /// has these identifiers in place of paths.
  ///
  /// - Parameters:
  ///   - template: The template of the notification's payload.
  ///   - attachments: The identifiers of the notification's attachments.
  ///   - requested: The media that the payload attaches, as its dialect reads them.
  package init(
    _ template: NotificationTemplate, attachments: some Sequence<String>, requested: [RichMedia]
  ) {
    let attached = Set(attachments)
    let media = template.media
    for medium in media {
      let named = requested.filter { $0.wanted.url == medium.url }.map(\.identifier)
      let names = named.filter { !$0.isEmpty } + media.filter { $0.url == medium.url }.map(\.id)
      files[medium.id] = names.first(where: attached.contains)
    }
    self.template = template
    missing = media.filter { files[$0.id] == nil }
      .map { Missing(id: $0.id, reason: "not-attached") }
    self.template = template.keeping { files[$0.id] != nil }
  }

  /// The first of the named manifests that belongs to the template.
  private static func manifest(
    of template: NotificationTemplate, named names: [String], in source: some TemplateFiles
  ) throws(ManifestError) -> MediaManifest {
    var failure = ManifestError(.notPrepared, "the app group's container has no manifest")
    for name in names {
      let path = MediaManifest.path(ofName: name)
      guard let bytes = source.bytes(of: path, atMost: MediaManifest.maximumBytes) else { continue }
      do throws(ManifestError) {
        let manifest = try MediaManifest(reading: bytes)
        if manifest.template == MediaManifest.hash(of: template) { return manifest }
        failure = ManifestError(.otherTemplate, "the manifest belongs to another template")
      } catch {
        failure = error
      }
    }
    throw failure
  }

  private mutating func add(
    _ file: MediaManifest.File, of medium: TemplateMedia, in folder: String,
    _ source: some TemplateFiles
  ) {
    let path = "\(MediaManifest.root)/\(folder)/\(file.name)"
    // The system or the app may have removed a cached file.
    guard source.size(of: path) == file.bytes else {
      return missing.append(Missing(id: medium.id, reason: "file-missing"))
    }
    files[medium.id] = path
    pictureSizes[medium.id] = file.pixels.map {
      TemplateSize(width: Double($0.width), height: Double($0.height))
    }
  }
}
