import Foundation
import RichNotifications
import UserNotifications

/// The real extension class, with the configuration and environment of a simulated phone.
final class SimulatedExtension: RichNotificationService {
  private let simulatedConfiguration: RichConfiguration
  private let simulatedEnvironment: RichEnvironment

  init(configuration: RichConfiguration, environment: RichEnvironment) {
    simulatedConfiguration = configuration
    simulatedEnvironment = environment
    super.init()
  }

  override var configuration: RichConfiguration { simulatedConfiguration }
  override var environment: RichEnvironment { simulatedEnvironment }
}
