import APNs
import PushModel
import PushPayload

/// The result of checking an app's APNs key by a push to a device token that does not exist.
///
/// Apple checks the provider token before the device token. This order is not documented, but a bad
/// key was answered `InvalidProviderToken` for a token that was not Apple's
/// (firebase/firebase-ios-sdk, issue 4042).
enum KeyCheck: Equatable {
  case good
  /// The key is valid only for Apple's development environment.
  case developmentOnly
  /// Apple refuses the key; the text has the reason and the advice.
  case refused(String)
  /// Apple did not answer; the text has the reason.
  case unanswered(String)

  /// Checks the key of an app, which may not be stored.
  static func ask(_ app: App, _ sender: any PushSender) async -> KeyCheck {
    let production = await ask(app, development: false, sender)
    guard case .failure(let reason) = production, reason.isAboutEnvironment else {
      return KeyCheck(production)
    }
    let development = KeyCheck(await ask(app, development: true, sender))
    return development == .good ? .developmentOnly : development
  }

  /// The push of the check, which is silent, so that nothing is shown if the token exists.
  static func probe(_ app: App) -> APNsNotification {
    APNsNotification(
      deviceToken: String(repeating: "0", count: 64), topic: app.bundleID, pushType: .background,
      priority: 5, expiration: .oneAttempt, payload: Array(#"{"aps":{"content-available":1}}"#.utf8)
    )
  }

  private enum Answer {
    /// Apple accepted the key, and then looked for the device.
    case keyAccepted
    case failure(APNsReason)
    case none(String)
  }

  private static func ask(
    _ app: App, development: Bool, _ sender: any PushSender
  ) async -> Answer {
    let outcome: APNsOutcome
    do {
      outcome = try await sender.probe(probe(app), for: app, development: development)
    } catch {
      return .none("\(error)")
    }
    guard outcome.kind == .answered, let status = outcome.status else {
      return .none(outcome.message ?? "Apple did not answer")
    }
    if status == 200 { return .keyAccepted }
    // A refusal without a reason, as a proxy may send it, says nothing about the key.
    guard (400..<500).contains(status), status != 429, let reason = outcome.reason else {
      return .none("Apple answered \(outcome.reason?.rawValue ?? "with status \(status)")")
    }
    let aboutDevice: [APNsReason] = [
      .badDeviceToken, .deviceTokenNotForTopic, .unregistered, .expiredToken,
    ]
    return aboutDevice.contains(reason) ? .keyAccepted : .failure(reason)
  }

  private init(_ answer: Answer) {
    self =
      switch answer {
      case .keyAccepted: .good
      case .none(let message): .unanswered(message)
      case .failure(let reason):
        .refused("Apple refuses the key with \(reason): \(FailureAdvice.text(reason.rawValue))")
      }
  }
}

extension APNsReason {
  /// Whether the key is for another environment; APNs was seen to send two reasons with this
  /// prefix.
  fileprivate var isAboutEnvironment: Bool { rawValue.hasPrefix("BadEnvironmentKey") }
}
