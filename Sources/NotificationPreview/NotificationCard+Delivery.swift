import PushPayload
import PushStore
import _Card

extension NotificationCard {
  /// What the extension makes of a payload, with the media that this server has, or fetches to look
  /// at.
  init(_ payload: JSONValue, _ visit: Visit) async {
    let content = DialectTable.standard.read(payload)
    let alert = payload["aps"]?["alert"]
    let category = payload["aps"]?["category"]?.string ?? ""
    var attachments: [Attachment] = []
    for medium in content.media { attachments.append(await Attachment(medium.wanted, visit)) }
    self.init(
      appName: visit.app.name,
      title: content.title ?? alert?["title"]?.string ?? "",
      subtitle: content.subtitle ?? alert?["subtitle"]?.string ?? "",
      body: content.body ?? alert?["body"]?.string ?? alert?.string ?? "",
      attachments: attachments,
      // A category that the payload names is the app's own, and its buttons alone show.
      actions: category.isEmpty
        ? content.buttons.map(\.title) : PresetCategory.titles(of: category))
  }
}

extension NotificationCard.Attachment {
  /// An empty tile where there is no file to be had.
  fileprivate init(_ reference: MediaReference, _ visit: Visit) async {
    let name = reference.url.split(separator: "/").last.map(String.init) ?? reference.url
    let named = MediaType(pathExtension: String(name.split(separator: ".").last ?? ""))
    var family = named?.family ?? reference.declaredFamily
    var file: String?
    if let upload = try? await visit.api.uploads?.file(url: reference.url) {
      file = upload
    } else if let medium = await visit.api.remoteMedia?.medium(of: reference.url) {
      (family, file) = (medium.family, medium.file)
    }
    let kind: Kind =
      switch family {
      case .movie?: .video
      case .audio?: .audio
      default: .image
      }
    self.init(path: file ?? "", kind: kind, name: name)
    if kind == .video, let file { durationSeconds = MovieLength.seconds(ofFile: file) }
  }
}
