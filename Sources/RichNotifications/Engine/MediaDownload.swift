import Foundation
import MediaLoading
import PushPayload

/// One load on its way to disk: the sink that a loader feeds.
final class MediaDownload: MediaSink {
  private struct State: Sendable {
    var intake: MediaIntake
    var file: MediaFile?
    var failure: MediaFailure?
    var redirect: String?
    /// How many bytes were taken from the budget and have not come yet.
    var reserved: Int64 = 0
    var isOver = false
  }

  private let state: Locked<State>
  private let reference: MediaReference
  private let environment: RichEnvironment
  private let budget: ByteBudget
  private let ended: @Sendable (FetchEnding) -> Void

  /// `ended` is called once.
  init(
    _ reference: MediaReference, from url: URL, after partial: PartialMedia?, budget: ByteBudget,
    maximumImageBytes: Int64, environment: RichEnvironment,
    ended: @escaping @Sendable (FetchEnding) -> Void
  ) {
    self.reference = reference
    self.environment = environment
    self.budget = budget
    self.ended = ended
    state = Locked(
      State(
        intake: partial?.intake
          ?? MediaIntake(reference, url: url, maximumImageBytes: maximumImageBytes),
        file: partial?.file))
  }

  /// What has come of it so far.
  var progress: (status: Int?, bytes: Int64) {
    state.withLock { ($0.intake.status, $0.intake.bytes) }
  }

  func receive(_ head: MediaResponseHead) -> MediaLoadDisposition {
    state.withLock { state in
      Self.proceed(&state) { state throws(MediaFailure) in
        switch try state.intake.receive(head) {
        case .body: break
        case .bodyFromStart: try state.file?.startOver()
        case .redirect(let location):
          state.redirect = location
          return false
        }
        // At once, so that of two films that are too much together one comes whole.
        if let length = head.contentLength { try take(length, &state) }
        return true
      }
    }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition {
    state.withLock { state in
      Self.proceed(&state) { state throws(MediaFailure) in
        try take(max(0, Int64(bytes.count) - state.reserved), &state)
        state.reserved -= Int64(bytes.count)
        var intake = state.intake
        defer { state.intake = intake }
        try intake.receive(bytes) { piece throws(MediaFailure) in try self.write(piece, &state) }
        return true
      }
    }
  }

  func finish(_ error: MediaLoadError?) {
    end { state in
      if let redirect = state.redirect { return .redirect(redirect) }
      return conclude(&state, error)
    }
  }

  /// Ends it now, whatever the loader still does; without effect after the end.
  func giveUp(_ failure: MediaFailure) {
    end { state in
      var failure = failure
      failure.status = state.intake.status
      failure.bytes = state.intake.bytes
      return .failed(failure, nil)
    }
  }

  private func take(_ count: Int64, _ state: inout State) throws(MediaFailure) {
    guard budget.take(count) else {
      throw MediaFailure(
        .budget, "the notification's media are larger than all of them may be",
        status: state.intake.status, bytes: state.intake.bytes)
    }
    state.reserved += count
  }

  /// `ending` runs outside the lock: a digest, or a smaller image, takes its time, and the deadline
  /// shall not wait for it.
  private func end(_ ending: (inout State) -> FetchEnding) {
    let last: State? = state.withLock { state in
      guard !state.isOver else { return nil }
      state.isOver = true
      defer { state.file = nil }
      budget.giveBack(state.reserved)
      return state
    }
    guard var last else { return }
    let outcome = ending(&last)
    // Whoever hears of the end finds nothing left; only what another try goes on with is kept.
    if case .failed(_, _?) = outcome {} else { last.file?.discard() }
    ended(outcome)
  }

  private func conclude(_ state: inout State, _ error: MediaLoadError?) -> FetchEnding {
    do throws(MediaFailure) {
      if let failure = state.failure { throw failure }
      if let error {
        throw MediaFailure(error, status: state.intake.status, bytes: state.intake.bytes)
      }
      var intake = state.intake
      defer { state.intake = intake }
      let decision = try intake.end { piece throws(MediaFailure) in try self.write(piece, &state) }
      guard let file = state.file else {
        throw MediaFailure(.unsupportedType, "the file is empty", status: intake.status)
      }
      return .file(try file.finish(intake, decision, reference, environment))
    } catch {
      guard error.isTransient, error.status != 416, state.intake.isResumable, let file = state.file
      else { return .failed(error, nil) }
      return .failed(error, PartialMedia(file: file, intake: state.intake))
    }
  }

  private func write(_ piece: UnsafeRawBufferPointer, _ state: inout State) throws(MediaFailure) {
    if state.file == nil { state.file = try MediaFile(in: environment.temporaryDirectory) }
    try state.file?.write(piece)
  }

  /// `step` says whether to go on.
  private static func proceed(
    _ state: inout State, _ step: (inout State) throws(MediaFailure) -> Bool
  ) -> MediaLoadDisposition {
    guard !state.isOver, state.failure == nil, state.redirect == nil else { return .stop }
    do throws(MediaFailure) {
      return try step(&state) ? .proceed : .stop
    } catch {
      state.failure = error
      return .stop
    }
  }
}
