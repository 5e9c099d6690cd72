import APNs
import PushModel
import PushPayload

/// The sender of pushes that have WidgetKit reload widgets or controls, and the judge of their answers.
struct ReloadSender: Sendable {
  let sender: any PushSender
  let app: App
  let type: ReloadType

  /// Sends a push to each target that is not held, and returns an outcome for each target, in order.
  ///
  /// A token that one of Apple's hosts does not know is tried once on the other. If pushes can be sent to one host
  /// only, those to the other have failed.
  ///
  /// - Throws: An error if no push can be sent, for example without a usable key.
  func send(_ targets: [ReloadTarget]) async throws -> [ReloadOutcome] {
    var outcomes = targets.map { target in
      target.isHeld
        ? ReloadOutcome(target, .held, reason: ReloadOutcome.budgetReason)
        : ReloadOutcome(target, .failed, reason: ReloadOutcome.unansweredReason)
    }
    var unknown: [Int] = []
    let open = targets.indices.filter { !targets[$0].isHeld }
    for (place, answer) in try await answers(to: open, targets) {
      outcomes[place] = ReloadOutcome(targets[place], answer)
      if answer.reason == .badDeviceToken { unknown.append(place) }
    }
    // If nothing can be sent to the other host, the answer of the first one counts.
    let others = try? await answers(to: unknown, targets, onOtherHost: true)
    for (place, answer) in others ?? [] {
      outcomes[place] = ReloadOutcome(targets[place], unknownAtFirst: answer)
    }
    return outcomes
  }

  private func answers(
    to places: [Int], _ targets: [ReloadTarget], onOtherHost isOther: Bool = false
  ) async throws -> [(place: Int, answer: APNsOutcome)] {
    var all: [(place: Int, answer: APNsOutcome)] = []
    var failure: (any Error)?
    for isDevelopment in [false, true] {
      let own = places.filter { (targets[$0].isDevelopment != isOther) == isDevelopment }
      guard !own.isEmpty else { continue }
      let pushes = own.map { place in
        APNsNotification.contentChanged(
          PushType(rawValue: type.rawValue), to: targets[place].token, bundleID: app.bundleID)
      }
      do {
        let answers = try await sender.send(
          pushes, of: .transactional, for: app, development: isDevelopment)
        all += zip(own, answers).map { (place: $0, answer: $1) }
      } catch { failure = error }
    }
    if let failure, all.isEmpty { throw failure }
    return all
  }
}

extension ReloadOutcome {
  /// The reason of a push that is held because of ``ReloadBudget``.
  static let budgetReason = "ReloadBudget"
  /// The reason of a push to which no answer came.
  static let unansweredReason = "Unreachable"

  /// The outcome of an answer, which for an unknown token is that of the first of two hosts.
  init(_ target: ReloadTarget, _ answer: APNsOutcome) {
    let result: Result =
      switch answer.status {
      case 200: .sent
      case 410: .gone
      default: .failed
      }
    let other =
      answer.isInvalid ? answer.message : answer.kind == .answered ? nil : Self.unansweredReason
    self.init(
      target, result, status: answer.status, reason: answer.reason?.rawValue ?? other)
    goneSince = answer.inactiveSince.map(Timestamp.init(milliseconds:))
    mayHaveArrived = answer.kind == .maybeSent
  }

  /// The outcome of a token that the device's own host did not know, by the answer of the other host.
  init(_ target: ReloadTarget, unknownAtFirst answer: APNsOutcome) {
    let own = ReloadOutcome(target, answer)
    guard own.result == .failed else {
      self = own
      learnedDevelopment = !target.isDevelopment
      return
    }
    // If the other host does not know the token either, it is of no use. Another failure may pass.
    let isUnknown = answer.reason == .badDeviceToken
    self.init(
      target, isUnknown ? .gone : .failed, status: 400, reason: APNsReason.badDeviceToken.rawValue)
  }
}
