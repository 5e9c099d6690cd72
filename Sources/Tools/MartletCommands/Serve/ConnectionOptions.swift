import NetworkAddresses
import PushModel
import PushServer

/// The options of `martlet serve` about its clients' connections.
enum ConnectionOptions {
  static let trustedProxy = Option(
    repeated: "--trusted-proxy", rangeForm("CIDR"),
    help: "proxies that name the client's address, by X-Forwarded-For or PROXY protocol"
  ).inEnvironment
  static let connectionsPerAddress = Option(
    "--connections-per-address", .count(1...100_000), default: "256",
    help: "the most connections of one address, of IPv6 of one /64"
  ).inEnvironment
  static let bodyMemory = Option(
    "--body-memory", .count(1...65_536, "MIB"), default: "64",
    help: "the memory that the bodies of all requests may take"
  ).inEnvironment
  static let allowWebhook = Option(
    repeated: "--allow-webhook", targetForm,
    help: "a private address or host that webhooks may call (default none)"
  ).inEnvironment

  static let all: [any CommandOption] = [
    trustedProxy, connectionsPerAddress, bodyMemory, allowWebhook,
  ]

  /// - Throws: ``UsageError`` if an option does not accept its value.
  static func read(_ arguments: Arguments, into server: inout PushServer.Configuration) throws {
    server.trustedProxies = try arguments[trustedProxy]
    server.connectionsPerAddress = try arguments[connectionsPerAddress]
    server.bodyMemory = try arguments[bodyMemory] << 20
    server.site.webhookTargets = WebhookTargets(try arguments[allowWebhook])
  }

  private static func rangeForm(_ placeholder: String) -> ValueForm<AddressRange> {
    ValueForm(placeholder, takes: APIKey.Limits.rangeForm) { AddressRange($0) }
  }

  private static let targetForm = ValueForm<WebhookTargets.Receiver>(
    "CIDR|HOST", takes: "an address, a range such as 192.168.0.0/16, or a host name"
  ) { WebhookTargets.Receiver($0) }
}
