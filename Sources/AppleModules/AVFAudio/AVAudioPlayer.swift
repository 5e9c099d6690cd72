public import Foundation
@_spi(Host) import UserNotifications

/// Apple's `AVAudioPlayer`, which plays nothing here, and the trace of the run says so.
///
/// Source: Apple, `AVAudioPlayer`.
open class AVAudioPlayer: NSObject {
  /// The file's URL; `nil` for data.
  public let url: URL?
  /// The volume, 0…1.
  open var volume: Float = 1
  /// The number of repetitions; less than 0 for no end.
  open var numberOfLoops = 0
  /// The place in seconds.
  open var currentTime: TimeInterval = 0

  /// Creates a player.
  ///
  /// - Parameter url: The file's URL.
  /// - Throws: Foundation's error if the file cannot be read.
  public init(contentsOf url: URL) throws {
    _ = try Data(contentsOf: url, options: .mappedIfSafe)
    self.url = url
  }

  /// Creates a player.
  ///
  /// - Parameter data: The file.
  /// - Throws: Nothing: the data are not read.
  public init(data: Data) throws { url = nil }

  /// The length in seconds, which is 0, because the file is not read.
  open var duration: TimeInterval {
    notModelled("AVAudioPlayer.duration", "it is 0, because the file is not read")
    return 0
  }

  /// Whether it plays: never.
  open var isPlaying: Bool { false }

  /// Prepares to play.
  ///
  /// - Returns: Always `true`.
  @discardableResult open func prepareToPlay() -> Bool { true }

  /// Plays nothing.
  ///
  /// - Returns: `false`, as on a phone that cannot play.
  @discardableResult open func play() -> Bool {
    notModelled("AVAudioPlayer.play()", "it is false; nothing is played")
    return false
  }

  /// Pauses.
  open func pause() {}
  /// Stops.
  open func stop() {}
}

/// Apple's `AVSpeechSynthesisVoice`, a voice by its language.
///
/// Source: Apple, `AVSpeechSynthesisVoice`.
public final class AVSpeechSynthesisVoice: NSObject, Sendable {
  /// The language, such as `en-US`.
  public let language: String

  /// Creates a voice.
  ///
  /// - Parameter code: The language; `nil` for that of the phone, which here is `en-US`.
  public init?(language code: String?) { language = code ?? "en-US" }
}

/// Apple's `AVSpeechUtterance`, a text to speak.
///
/// Source: Apple, `AVSpeechUtterance`.
public final class AVSpeechUtterance: NSObject {
  /// The text.
  public let speechString: String
  /// The voice.
  public var voice: AVSpeechSynthesisVoice?
  /// The speed, 0…1.
  public var rate: Float = 0.5
  /// The pitch, 0.5…2.
  public var pitchMultiplier: Float = 1
  /// The volume, 0…1.
  public var volume: Float = 1

  /// Creates an utterance.
  ///
  /// - Parameter string: The text.
  public init(string: String) { speechString = string }
}

/// Apple's `AVSpeechSynthesizer`, which speaks nothing here, and the trace of the run says so.
///
/// Source: Apple, `AVSpeechSynthesizer`.
public final class AVSpeechSynthesizer: NSObject {
  /// Creates a synthesizer.
  public override init() {}

  /// Whether it speaks: never.
  public var isSpeaking: Bool { false }

  /// Speaks nothing.
  ///
  /// - Parameter utterance: The text.
  public func speak(_ utterance: AVSpeechUtterance) {
    notModelled("AVSpeechSynthesizer.speak(_:)", "nothing is spoken")
  }
}
