public import Foundation

extension URL {
  /// Returns the URL with a component, and the preferred extension of a type if it lacks one of the type's.
  ///
  /// - Parameters:
  ///   - partialName: The component.
  ///   - contentType: The type.
  /// - Returns: The URL.
  public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> URL
  {
    appendingPathComponent(partialName).withExtension(of: contentType)
  }

  /// Returns the URL with the preferred extension of a type if it lacks one of the type's.
  ///
  /// - Parameter contentType: The type.
  /// - Returns: The URL.
  public func appendingPathExtension(for contentType: UTType) -> URL {
    withExtension(of: contentType)
  }

  /// Adds a component, and the preferred extension of a type if it lacks one of the type's.
  ///
  /// - Parameters:
  ///   - partialName: The component.
  ///   - contentType: The type.
  public mutating func appendPathComponent(
    _ partialName: String, conformingTo contentType: UTType
  ) {
    self = appendingPathComponent(partialName, conformingTo: contentType)
  }

  /// Adds the preferred extension of a type if the URL lacks one of the type's.
  ///
  /// - Parameter contentType: The type.
  public mutating func appendPathExtension(for contentType: UTType) {
    self = appendingPathExtension(for: contentType)
  }

  private func withExtension(of type: UTType) -> URL {
    let own = UTType(filenameExtension: pathExtension, conformingTo: type)
    guard let preferred = type.preferredFilenameExtension,
      pathExtension.isEmpty || own?.isDynamic != false
    else { return self }
    return appendingPathExtension(preferred)
  }
}
