// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import Foundation
@_spi(Host) public import UserNotifications

/// The number of a sound.
public typealias SystemSoundID = UInt32

/// The number of the vibration.
public let kSystemSoundID_Vibrate: SystemSoundID = 4095

/// Plays a sound, which this model does not do, and the trace of the run says so.
///
/// - Parameter inSystemSoundID: The sound's number.
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) {
  notModelled(
    "AudioServicesPlaySystemSound",
    "the sound \(inSystemSoundID) is not played; the notification's own is in the report")
}

/// Plays a sound as an alert, which this model does not do, and the trace of the run says so.
///
/// - Parameter inSystemSoundID: The sound's number.
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) {
  notModelled(
    "AudioServicesPlayAlertSound",
    "the sound \(inSystemSoundID) is not played; the notification's own is in the report")
}

/// Plays a sound, which this model does not do.
///
/// - Parameters:
///   - inSystemSoundID: The sound's number.
///   - inCompletionBlock: Called at once.
public func AudioServicesPlaySystemSoundWithCompletion(
  _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (() -> Void)?
) {
  AudioServicesPlaySystemSound(inSystemSoundID)
  inCompletionBlock?()
}

/// Plays a sound as an alert, which this model does not do.
///
/// - Parameters:
///   - inSystemSoundID: The sound's number.
///   - inCompletionBlock: Called at once.
public func AudioServicesPlayAlertSoundWithCompletion(
  _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (() -> Void)?
) {
  AudioServicesPlayAlertSound(inSystemSoundID)
  inCompletionBlock?()
}

/// Gives a file the number of a sound, which this model does not do, and the trace of the run says so.
///
/// - Parameters:
///   - inFileURL: The file's URL.
///   - outSystemSoundID: The variable for the number, which becomes 0.
/// - Returns: `kAudioServicesSystemSoundUnspecifiedError`.
@discardableResult public func AudioServicesCreateSystemSoundID(
  _ inFileURL: CFURL, _ outSystemSoundID: UnsafeMutablePointer<SystemSoundID>
) -> Int32 {
  notModelled("AudioServicesCreateSystemSoundID", "no sound is played")
  unsafe outSystemSoundID.pointee = 0
  return kAudioServicesSystemSoundUnspecifiedError
}

/// A function that is called when a sound has ended.
public typealias AudioServicesSystemSoundCompletionProc =
  @convention(c) (
    SystemSoundID, UnsafeMutableRawPointer?
  ) -> Void

/// Asks for a call when a sound has ended, which this model does not make, and the trace of the run says so.
///
/// - Parameters:
///   - inSystemSoundID: The sound's number.
///   - inRunLoop: Unused.
///   - inRunLoopMode: Unused.
///   - inCompletionRoutine: The function, which is not called: a sound that begins again at its end has none.
///   - inClientData: Unused.
/// - Returns: `kAudioServicesSystemSoundUnspecifiedError`.
@discardableResult public func AudioServicesAddSystemSoundCompletion(
  _ inSystemSoundID: SystemSoundID, _ inRunLoop: RunLoop?, _ inRunLoopMode: CFString?,
  _ inCompletionRoutine: AudioServicesSystemSoundCompletionProc,
  _ inClientData: UnsafeMutableRawPointer?
) -> Int32 {
  notModelled(
    "AudioServicesAddSystemSoundCompletion",
    "the end of the sound \(inSystemSoundID) is not called; it is not played")
  return kAudioServicesSystemSoundUnspecifiedError
}

/// Ends the calls at a sound's end.
///
/// - Parameter inSystemSoundID: The sound's number.
public func AudioServicesRemoveSystemSoundCompletion(_ inSystemSoundID: SystemSoundID) {}

/// Frees the number of a sound.
///
/// - Parameter inSystemSoundID: The sound's number.
/// - Returns: 0, which is success.
@discardableResult public func AudioServicesDisposeSystemSoundID(
  _ inSystemSoundID: SystemSoundID
) -> Int32 { 0 }

/// The status of a sound that cannot be played.
public let kAudioServicesSystemSoundUnspecifiedError: Int32 = -1500
