import Foundation
import MediaLoading
import PushPayload

/// One load on its way to disk: the sink that a loader feeds.
final class MediaDownload: MediaSink {
  private struct State: Sendable {
    var intake: MediaIntake
    var file: MediaFile?
    var failure: MediaFailure?
    var isOver = false
  }

  private let state: Locked<State>
  private let directory: URL
  private let ended: @Sendable (Result<AttachedMedia, MediaFailure>) -> Void

  /// `ended` is called once, with the finished file or why there is none.
  init(
    in directory: URL, allowsPlainHTTP: Bool,
    ended: @escaping @Sendable (Result<AttachedMedia, MediaFailure>) -> Void
  ) {
    self.directory = directory
    self.ended = ended
    state = Locked(State(intake: MediaIntake(allowsPlainHTTP: allowsPlainHTTP)))
  }

  func receive(_ head: MediaResponseHead) -> MediaLoadDisposition {
    state.withLock { state in
      Self.proceed(&state) { state throws(MediaFailure) in try state.intake.receive(head) }
    }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition {
    state.withLock { state in
      Self.proceed(&state) { state throws(MediaFailure) in
        var intake = state.intake
        defer { state.intake = intake }
        try intake.receive(bytes) { piece throws(MediaFailure) in try self.write(piece, &state) }
      }
    }
  }

  func finish(_ error: MediaLoadError?) {
    let result: Result<AttachedMedia, MediaFailure>? = state.withLock { state in
      guard !state.isOver else { return nil }
      state.isOver = true
      return conclude(&state, error)
    }
    if let result { ended(result) }
  }

  /// Lets go of the file at once, whatever the loader still does; without effect after the end.
  func abandon() {
    state.withLock { state in
      guard !state.isOver else { return }
      state.isOver = true
      state.file?.discard()
    }
  }

  private func conclude(_ state: inout State, _ error: MediaLoadError?) -> Result<
    AttachedMedia, MediaFailure
  > {
    do throws(MediaFailure) {
      if let failure = state.failure { throw failure }
      if let error {
        throw MediaFailure(error, status: state.intake.status, bytes: state.intake.bytes)
      }
      var intake = state.intake
      let type = try intake.end { piece throws(MediaFailure) in try self.write(piece, &state) }
      guard let url = try state.file?.finish(pathExtension: type.preferredExtension) else {
        throw MediaFailure(.unsupportedType, "the file is empty", status: intake.status)
      }
      return .success(
        AttachedMedia(file: url, type: type, bytes: intake.bytes, status: intake.status))
    } catch {
      state.file?.discard()
      return .failure(error)
    }
  }

  private func write(_ piece: UnsafeRawBufferPointer, _ state: inout State) throws(MediaFailure) {
    if state.file == nil { state.file = try MediaFile(in: directory) }
    try state.file?.write(piece)
  }

  private static func proceed(
    _ state: inout State, _ step: (inout State) throws(MediaFailure) -> Void
  ) -> MediaLoadDisposition {
    guard !state.isOver, state.failure == nil else { return .stop }
    do throws(MediaFailure) {
      try step(&state)
      return .proceed
    } catch {
      state.failure = error
      return .stop
    }
  }
}
