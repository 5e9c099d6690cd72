import Foundation
package import MediaLoading
import NotificationPreview
import PushModel
package import _Curl
package import _OpenSSLCrypto

/// The settings of a server: its URL, its limits, its media, and the ways to sign in.
package struct SiteSettings: Sendable {
  /// Whether browsers reach the server over https only; cookies are then marked `Secure`.
  package var isSecure = false
  /// The URL under which browsers and phones reach the server; `nil` if it is the address on which the
  /// server listens.
  package var publicURL: String?
  /// The folder of uploads; `nil` refuses uploads and previews no remote media.
  package var mediaFolder: String?
  /// Makes the loader of remote media, for the dashboard's preview.
  package var mediaLoader: @Sendable () -> any MediaLoader = { CurlMediaLoader() }

  /// The block size in bytes to which payloads are padded before encryption; 1 does not pad.
  package var paddingMultiple = 1

  /// The largest number of devices in one app that device keys may register; a push key may register more.
  package var deviceLimit = 10_000_000
  /// The largest number of new devices in a minute that device keys may register from one address.
  package var newDevicesPerMinute = 300
  /// The largest size in bytes of all uploads of one app.
  package var uploadQuota = Uploads.defaultQuota
  /// The private addresses and hosts that webhooks may call.
  package var webhookTargets = WebhookTargets()

  /// The cost of the hash of a password.
  package var passwordCost = ScryptCost.standard

  /// Whether an admin with a password needs a second factor before the dashboard opens anything.
  package var requiresSecondFactor = false

  /// The OpenID provider with which people sign in; `nil` if the server has no provider.
  package var identityProvider: IdentityProvider?
  /// The client for requests to that provider, to webhooks and to a collector of traces.
  package var http: any HTTPClient = CurlClient()

  package init() {}

  /// Whether a person has to set up a second factor before anything else.
  func refuses(_ account: Account) -> Bool { requiresSecondFactor && account.lacksSecondFactor }
}
