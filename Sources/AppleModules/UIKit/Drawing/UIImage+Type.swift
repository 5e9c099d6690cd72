extension UIImage {
  /// The identifier of the type of the image's file.
  package var typeIdentifier: String {
    switch header.format {
    case .png: "public.png"
    case .jpeg: "public.jpeg"
    case .gif: "com.compuserve.gif"
    case .webP: "org.webmproject.webp"
    case .heic: "public.heic"
    }
  }
}
