import Foundation
import MediaLoading
import PushPayload

/// The sink of one load: checks the response and writes its body to disk.
final class MediaDownload: MediaSink {
  private struct State: Sendable {
    var intake: MediaIntake
    var file: MediaFile?
    var failure: MediaFailure?
    var redirect: String?
    /// The number of bytes that were reserved from the budget and have not been received yet.
    var reserved: Int64 = 0
    var isOver = false
  }

  private let state: Locked<State>
  private let reference: MediaReference
  private let environment: RichEnvironment
  private let budget: ByteBudget
  private let ended: @Sendable (MediaFetchResult) -> Void

  /// Creates a download, which resumes `partial` if there is one, and calls `ended` once.
  init(
    _ reference: MediaReference, from url: URL, after partial: PartialMedia?, budget: ByteBudget,
    maximumImageBytes: Int64, environment: RichEnvironment,
    ended: @escaping @Sendable (MediaFetchResult) -> Void
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

  /// The response's status and the number of bytes received so far.
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
        // The whole length is reserved at once: of two files that exceed the budget together, one is
        // then received completely.
        if let length = head.contentLength { try reserve(length, &state) }
        return true
      }
    }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition {
    state.withLock { state in
      Self.proceed(&state) { state throws(MediaFailure) in
        try reserve(max(0, Int64(bytes.count) - state.reserved), &state)
        state.reserved -= Int64(bytes.count)
        var intake = state.intake
        defer { state.intake = intake }
        try intake.receive(bytes) { piece throws(MediaFailure) in try self.write(piece, &state) }
        return true
      }
    }
  }

  func finish(_ error: MediaLoadError?) {
    endDownload { state in
      if let redirect = state.redirect { return .redirect(redirect) }
      return conclude(&state, error)
    }
  }

  /// Ends the download with a failure.
  ///
  /// Has no effect once it has ended.
  func giveUp(_ failure: MediaFailure) {
    endDownload { state in
      var failure = failure
      failure.status = state.intake.status
      failure.bytes = state.intake.bytes
      return .failed(failure, nil)
    }
  }

  private func reserve(_ count: Int64, _ state: inout State) throws(MediaFailure) {
    guard budget.reserve(count) else {
      throw MediaFailure(
        .budget, "the notification's media exceed MediaPolicy.maximumBytes in total",
        status: state.intake.status, bytes: state.intake.bytes)
    }
    state.reserved += count
  }

  /// Ends the download once.
  ///
  /// `ending` runs outside the lock, because a digest or scaling an image takes time and the deadline must
  /// not wait for it.
  private func endDownload(_ ending: (inout State) -> MediaFetchResult) {
    let last: State? = state.withLock { state in
      guard !state.isOver else { return nil }
      state.isOver = true
      defer { state.file = nil }
      budget.returnBytes(state.reserved)
      return state
    }
    guard var last else { return }
    let outcome = ending(&last)
    // Before the callback, so that its receiver finds no file left, except one that the next request resumes.
    switch outcome {
    case .redirect, .failed(_, _?): break
    case .file, .failed(_, nil): last.file?.discard()
    }
    ended(outcome)
  }

  private func conclude(_ state: inout State, _ error: MediaLoadError?) -> MediaFetchResult {
    do throws(MediaFailure) {
      if let failure = state.failure { throw failure }
      if let error {
        throw MediaFailure(error, status: state.intake.status, bytes: state.intake.bytes)
      }
      var intake = state.intake
      defer { state.intake = intake }
      let decision = try intake.checkEnd { piece throws(MediaFailure) in
        try self.write(piece, &state)
      }
      guard let file = state.file else {
        throw MediaFailure(.unsupportedType, "the file is empty", status: intake.status)
      }
      return .file(
        try file.finish(
          intake: intake, decision: decision, reference: reference, in: environment))
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

  /// Runs a step, which returns whether to continue, and stores its failure.
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
