public import Foundation

/// Apple's `INImage`, a picture of a person or a group.
///
/// Source: Apple, `INImage`.
public final class INImage: NSObject, Sendable {
  /// The origin of the picture.
  enum Origin: Sendable {
    case name(String), data(Data), url(URL)
  }

  let origin: Origin

  private init(_ origin: Origin) { self.origin = origin }

  /// Creates a picture of the bundle.
  ///
  /// - Parameter name: The picture's name.
  public convenience init(named name: String) { self.init(.name(name)) }

  /// Creates a picture of the system.
  ///
  /// - Parameter systemImageName: The symbol's name.
  /// - Returns: The picture.
  public static func systemImageNamed(_ systemImageName: String) -> INImage {
    INImage(.name(systemImageName))
  }

  /// Creates a picture.
  ///
  /// - Parameter imageData: The picture's file.
  public convenience init(imageData: Data) { self.init(.data(imageData)) }

  /// Creates a picture that the system loads.
  ///
  /// - Parameter URL: The picture's URL.
  public convenience init?(url URL: URL) { self.init(.url(URL)) }

  /// Creates a picture that the system loads.
  ///
  /// - Parameters:
  ///   - URL: The picture's URL.
  ///   - width: The width in points, which is not used.
  ///   - height: The height in points, which is not used.
  public convenience init?(url URL: URL, width: Double, height: Double) { self.init(.url(URL)) }
}
