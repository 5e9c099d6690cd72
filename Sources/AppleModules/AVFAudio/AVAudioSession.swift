public import Foundation
@_spi(Host) import UserNotifications

/// Apple's `AVAudioSession`, which here has no sound to arrange, and the trace of the run says so.
///
/// Source: Apple, `AVAudioSession`.
public final class AVAudioSession: NSObject, Sendable {
  /// The purpose of an app's sound.
  public struct Category: Hashable, RawRepresentable, Sendable {
    /// Apple's name.
    public let rawValue: String

    /// Creates a category of Apple's name.
    ///
    /// - Parameter rawValue: The name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Sounds that may be left out.
    public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
    /// Sounds that may be left out, in place of those of other apps.
    public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
    /// Music and films.
    public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
    /// Recordings.
    public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
    /// Calls.
    public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
  }

  /// The kind of sound in a category.
  public struct Mode: Hashable, RawRepresentable, Sendable {
    /// Apple's name.
    public let rawValue: String

    /// Creates a mode of Apple's name.
    ///
    /// - Parameter rawValue: The name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No special kind.
    public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
    /// A call.
    public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
    /// Spoken texts.
    public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
  }

  /// How the sound stands with that of other apps.
  public struct CategoryOptions: OptionSet, Sendable {
    /// Apple's number.
    public let rawValue: UInt

    /// Creates options of Apple's number.
    ///
    /// - Parameter rawValue: The number.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// It is mixed with that of other apps.
    public static let mixWithOthers = CategoryOptions(rawValue: 1)
    /// That of other apps becomes quieter.
    public static let duckOthers = CategoryOptions(rawValue: 2)
    /// It is heard from the phone's loudspeaker.
    public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
  }

  /// What is done when a session begins or ends.
  public struct SetActiveOptions: OptionSet, Sendable {
    /// Apple's number.
    public let rawValue: UInt

    /// Creates options of Apple's number.
    ///
    /// - Parameter rawValue: The number.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Other apps may play again.
    public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
  }

  private static let shared = AVAudioSession()

  override init() {}

  /// Returns the session of the process.
  ///
  /// - Returns: The session.
  public static func sharedInstance() -> AVAudioSession { shared }

  /// Sets the category, which changes nothing here.
  ///
  /// - Parameters:
  ///   - category: The category.
  ///   - mode: The mode.
  ///   - options: The options.
  /// - Throws: Nothing.
  public func setCategory(
    _ category: Category, mode: Mode = .default, options: CategoryOptions = []
  ) throws {
    notModelled("AVAudioSession.setCategory(_:mode:options:)", "nothing is played here")
  }

  /// Begins or ends the session, which changes nothing here.
  ///
  /// - Parameters:
  ///   - active: Whether it begins.
  ///   - options: The options.
  /// - Throws: Nothing.
  public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
    notModelled("AVAudioSession.setActive(_:options:)", "nothing is played here")
  }
}
