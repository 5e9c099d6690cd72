public import Foundation
@_spi(Host) import UserNotifications

/// The place of a frame in a file.
public typealias AVAudioFramePosition = Int64
/// A number of frames.
public typealias AVAudioFrameCount = UInt32

/// Apple's `AVAudioFormat`, the form of sound.
///
/// Source: Apple, `AVAudioFormat`.
public final class AVAudioFormat: NSObject {
  /// The frames in a second.
  public let sampleRate: Double
  /// The number of channels.
  public let channelCount: UInt32
  /// The settings for a file.
  public let settings: [String: Any]

  /// Creates a format; `nil` without a channel.
  ///
  /// - Parameters:
  ///   - sampleRate: The frames in a second.
  ///   - channels: The number of channels.
  public init?(standardFormatWithSampleRate sampleRate: Double, channels: UInt32) {
    guard channels > 0 else { return nil }
    (self.sampleRate, channelCount) = (sampleRate, channels)
    settings = ["AVSampleRateKey": sampleRate, "AVNumberOfChannelsKey": Int(channels)]
  }
}

/// Apple's `AVAudioPCMBuffer`, frames in memory, which here are none.
///
/// Source: Apple, `AVAudioPCMBuffer`.
public final class AVAudioPCMBuffer: NSObject {
  /// The form.
  public let format: AVAudioFormat
  /// The largest number of frames.
  public let frameCapacity: AVAudioFrameCount
  /// The number of frames.
  public var frameLength: AVAudioFrameCount = 0

  /// Creates a buffer.
  ///
  /// - Parameters:
  ///   - format: The form.
  ///   - frameCapacity: The largest number of frames.
  public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
    (self.format, self.frameCapacity) = (format, frameCapacity)
  }
}

/// Apple's `AVAudioFile`, which cannot be opened here, and the trace of the run says so.
///
/// Source: Apple, `AVAudioFile`.
public final class AVAudioFile: NSObject {
  /// The number of frames.
  public let length: AVAudioFramePosition
  /// The form of the frames in memory.
  public let processingFormat: AVAudioFormat
  /// The form of the file.
  public var fileFormat: AVAudioFormat { processingFormat }

  /// Fails to open a file.
  ///
  /// - Parameter fileURL: The file's URL.
  /// - Throws: Always ``AVModelError``.
  public convenience init(forReading fileURL: URL) throws {
    throw Self.limit("AVAudioFile(forReading:)")
  }

  /// Fails to create a file.
  ///
  /// - Parameters:
  ///   - fileURL: The file's URL.
  ///   - settings: The form.
  /// - Throws: Always ``AVModelError``.
  public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
    throw Self.limit("AVAudioFile(forWriting:settings:)")
  }

  private init(length: AVAudioFramePosition, processingFormat: AVAudioFormat) {
    (self.length, self.processingFormat) = (length, processingFormat)
  }

  /// Fails to read frames.
  ///
  /// - Parameter buffer: The buffer.
  /// - Throws: Always ``AVModelError``.
  public func read(into buffer: AVAudioPCMBuffer) throws {
    throw Self.limit("AVAudioFile.read(into:)")
  }

  /// Fails to write frames.
  ///
  /// - Parameter buffer: The buffer.
  /// - Throws: Always ``AVModelError``.
  public func write(from buffer: AVAudioPCMBuffer) throws {
    throw Self.limit("AVAudioFile.write(from:)")
  }

  private static func limit(_ api: String) -> AVModelError {
    let message = "sound is neither decoded nor encoded here"
    notModelled(api, message)
    return AVModelError("\(api): \(message)")
  }
}
