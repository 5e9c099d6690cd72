/// A web page that shows media, and the form of the URL of the media file itself.
struct MediaPage: Sendable {
  /// The page with its article, such as "a page of YouTube".
  var name: String
  /// The text to write instead.
  var remedy: String

  private static let own = "save the file and serve it from a host of your own"

  /// Recognizes pages whose URLs people copy from the address bar; `nil` if the URL is another one.
  init?(_ url: MediaURL) {
    guard let page = Self.video(url) ?? Self.storage(url) ?? Self.picture(url) else { return nil }
    self = page
  }

  private init(_ name: String, _ remedy: String) {
    self.name = name
    self.remedy = remedy
  }

  private static func video(_ url: MediaURL) -> MediaPage? {
    // These hosts have the pictures themselves, or redirect to them.
    if ["img.youtube.com", "graph.facebook.com"].contains(url.host) { return nil }
    if url.isOn("youtu.be", "youtube.com", "youtube-nocookie.com") {
      return MediaPage(
        "a page of YouTube",
        "write https://img.youtube.com/vi/ID/hqdefault.jpg for its picture, or serve an MP4 file")
    }
    if url.host == "vimeo.com" || url.host == "player.vimeo.com" {
      return MediaPage("a page of Vimeo", "write the link to the MP4 file of the video's settings")
    }
    if url.isOn("tiktok.com") { return MediaPage("a page of TikTok", own) }
    if url.isOn("instagram.com"), url.host != "scontent.cdninstagram.com" {
      return MediaPage("a page of Instagram", own)
    }
    if url.isOn("facebook.com", "fb.watch") { return MediaPage("a page of Facebook", own) }
    if url.host == "twitter.com" || url.host == "x.com" {
      return MediaPage("a page of X", "write the picture's https://pbs.twimg.com/media/… URL")
    }
    return nil
  }

  private static func storage(_ url: MediaURL) -> MediaPage? {
    let components = url.components
    switch url.host {
    case "drive.google.com" where components.first == "file" || components.first == "open":
      return MediaPage(
        "a page of Google Drive", "write https://drive.google.com/uc?export=download&id=ID")
    case "drive.google.com" where components.first == "drive":
      return MediaPage("a folder of Google Drive", own)
    case "photos.app.goo.gl", "photos.google.com", "icloud.com", "share.icloud.com":
      return MediaPage("a page of a photo library", own)
    case "dropbox.com" where url["dl"] != "1" && url["raw"] != "1":
      return MediaPage("a page of Dropbox", "write raw=1 in place of dl=0")
    case "1drv.ms", "onedrive.live.com":
      guard components.first != "download", components.first != "embed" else { return nil }
      return MediaPage("a page of OneDrive", own)
    case "github.com" where components.count > 3 && components[2] == "blob" && url["raw"] != "true":
      return MediaPage(
        "a page of GitHub", "write https://raw.githubusercontent.com/OWNER/NAME/BRANCH/PATH")
    case "gitlab.com", "bitbucket.org":
      let isPage = components.contains("blob") || components.dropFirst(2).first == "src"
      return isPage ? MediaPage("a page of a code host", "write the URL of its raw file") : nil
    default: return nil
    }
  }

  private static func picture(_ url: MediaURL) -> MediaPage? {
    let components = url.components
    switch url.host {
    case "imgur.com", "m.imgur.com":
      return url.suffix.isEmpty || components.count > 1
        ? MediaPage("a page of Imgur", "write https://i.imgur.com/ID.jpg") : nil
    case "giphy.com", "gph.is":
      return MediaPage("a page of GIPHY", "write https://i.giphy.com/ID.gif")
    case "tenor.com" where components.first == "view" || components.dropFirst().first == "view":
      return MediaPage("a page of Tenor", "write the https://media.tenor.com/… URL of the GIF")
    case "unsplash.com" where components.contains("photos"):
      return MediaPage("a page of Unsplash", "write the https://images.unsplash.com/… URL")
    case "pexels.com" where components.contains("photo"):
      return MediaPage("a page of Pexels", "write the https://images.pexels.com/… URL")
    case "pin.it", "pinterest.com": return MediaPage("a page of Pinterest", own)
    case "flickr.com" where components.first == "photos", "flic.kr":
      return MediaPage("a page of Flickr", "write the https://live.staticflickr.com/… URL")
    case "ibb.co", "imgbb.com":
      return MediaPage("a page of ImgBB", "write the https://i.ibb.co/… URL")
    case "google.com" where components.first == "imgres" || components.first == "search":
      return MediaPage("a page of Google's image search", "write the URL of the picture itself")
    case let host where host.hasSuffix("wikipedia.org") || host == "commons.wikimedia.org":
      return components.dropFirst().first?.hasPrefix("File:") ?? false
        ? MediaPage("a page of Wikimedia Commons", "write the https://upload.wikimedia.org/… URL")
        : nil
    default: return nil
    }
  }
}
