import APNs
import PushPayload
import PushStore

/// What Apple says of an app's key, asked with a push to a device that is none: Apple looks at who
/// sends before it looks for whom.
///
/// Apple does not write that order down. It was seen where a bad key was answered
/// `InvalidProviderToken` for a token that was none of Apple's (firebase/firebase-ios-sdk, issue 4042).
enum KeyCheck: Equatable {
  case good
  /// The key is for Apple's development environment alone.
  case developmentOnly
  case refused(String)
  /// Apple did not say.
  case unanswered(String)

  /// Asks about an app as it would be stored.
  static func ask(_ app: App, _ sender: any PushSender) async -> KeyCheck {
    let production = await ask(app, development: false, sender)
    guard case .failure(let reason) = production, reason.isAboutEnvironment else {
      return KeyCheck(production)
    }
    let development = KeyCheck(await ask(app, development: true, sender))
    return development == .good ? .developmentOnly : development
  }

  /// Nobody notices it, where the token is somebody's after all.
  static func probe(_ app: App) -> APNsNotification {
    APNsNotification(
      deviceToken: String(repeating: "0", count: 64), topic: app.bundleID, pushType: .background,
      priority: 5, expiration: 0, payload: Array(#"{"aps":{"content-available":1}}"#.utf8))
  }

  private enum Answer {
    /// It looked for the device.
    case known
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
    guard status != 200, let reason = outcome.reason else { return .known }
    let aboutDevice: [APNsReason] = [
      .badDeviceToken, .deviceTokenNotForTopic, .unregistered, .expiredToken,
    ]
    if aboutDevice.contains(reason) { return .known }
    if status == 429 || status >= 500 { return .none("Apple answered \(reason)") }
    return .failure(reason)
  }

  private init(_ answer: Answer) {
    self =
      switch answer {
      case .known: .good
      case .none(let message): .unanswered(message)
      case .failure(let reason):
        .refused("Apple refuses the key with \(reason): \(FailureAdvice.text(reason.rawValue))")
      }
  }
}

extension APNsReason {
  /// Both spellings that APNs was seen to write.
  fileprivate var isAboutEnvironment: Bool { rawValue.hasPrefix("BadEnvironmentKey") }
}
