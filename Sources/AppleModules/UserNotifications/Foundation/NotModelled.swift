import Foundation

/// Says that this model does not do what the calling code asks of Apple's API.
///
/// Each declaration of these modules that returns nothing, `nil` or a default because the model has no more calls it.
/// The line is in the trace of the run to which the code belongs. Code that belongs to none has it on the standard error
/// stream.
///
/// - Parameters:
///   - api: Apple's name of the declaration, such as `UIImage.pngData()`.
///   - message: The limit, and the way around it.
@_spi(Host) public func notModelled(_ api: String, _ message: String) {
  (UNWorld.ofExtension ?? .process).notModelled("\(api): \(message)")
}

extension UNWorld {
  /// Writes a limit of the model to the standard error stream, for code that belongs to no run.
  static let printLimit: @Sendable (String) -> Void = { line in
    FileHandle.standardError.write(Data("not modelled on Linux: \(line)\n".utf8))
  }
}
