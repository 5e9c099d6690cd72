import Foundation
import PushPayload

extension RichDelivery {
  /// Makes the attachments of the content, and leaves out those that cannot be made.
  ///
  /// Called before the trace and the receipt say what is attached.
  func attach(_ content: inout EnrichedContent) {
    // The attached files of the requested media come first, in the order of the media.
    let outcomes = content.media.indices.filter { index in
      [.attached, .alternative].contains(content.media[index].result)
    }
    var (files, names): (Set<URL>, Set<String>) = ([], [])
    var attachments: [AttachedMedia] = []
    for (index, media) in content.attachments.enumerated() {
      var media = media
      // The system makes an identifier for an attachment without one.
      if !names.insert(media.identifier).inserted { media.identifier = "" }
      do throws(MediaFailure) {
        if !files.insert(media.file).inserted { media.file = try Self.link(to: media) }
        try environment.attach?(media)
        attachments.append(media)
      } catch {
        trace.note(.media, error.reason.rawValue, message: error.message + ":", detail: media.url)
        content.note = content.note ?? error.message
        guard outcomes.indices.contains(index) else { continue }
        content.media[outcomes[index]].result = .failed
        content.media[outcomes[index]].reason = error.reason
      }
    }
    content.attachments = attachments
  }

  /// Links a file that is attached twice under another name, because the system moves the file of each attachment.
  private static func link(to media: AttachedMedia) throws(MediaFailure) -> URL {
    let link = MediaFolder.makeURL(
      in: media.file.deletingLastPathComponent(), extension: media.type.preferredExtension)
    do {
      try FileManager.default.linkItem(at: media.file, to: link)
    } catch {
      throw MediaFailure(.storage, "the file could not be attached twice")
    }
    return link
  }
}
