import Foundation
import PushServer

/// The options of `martlet serve` about the OpenID provider with which people sign in to the dashboard.
enum IdentityProviderOptions {
  static let issuer = Option(
    "--oidc-issuer", issuerForm,
    help: "the OpenID provider with which people sign in: its issuer, https://HOST or more"
  ).inEnvironment
  static let clientID = Option(
    "--oidc-client-id", .text("ID"), help: "the client id of this server at the provider"
  ).inEnvironment
  static let clientSecret = Option(
    "--oidc-client-secret-file", .file(),
    help: "a file with the client's secret, if the provider gave one"
  ).inEnvironment
  static let name = Option(
    "--oidc-name", .text("NAME"),
    help: "the provider's name on the button (default the host of its issuer)"
  ).inEnvironment

  static let all: [any CommandOption] = [issuer, clientID, clientSecret, name]

  /// - Returns: The provider without its secret, and the file of the secret; `nil` if no provider is configured.
  /// - Throws: ``UsageError`` if options do not go together.
  static func read(
    _ arguments: Arguments, publicURL: String?
  ) throws -> (provider: IdentityProvider, secretFile: String?)? {
    let (issuer, id) = (try arguments[issuer], try arguments[clientID])
    let (file, name) = (try arguments[clientSecret], try arguments[name])
    switch (issuer, id) {
    case (let issuer?, let id?):
      guard publicURL != nil else {
        throw UsageError(
          "--oidc-issuer needs --public-url, under which the provider leads browsers back to this server"
        )
      }
      return (IdentityProvider(issuer: issuer, clientID: id, name: name), file)
    case (nil, nil) where file == nil && name == nil: return nil
    default: throw UsageError("--oidc-issuer URL and --oidc-client-id ID go together")
    }
  }

  /// The secret in a file, without the line break at its end.
  ///
  /// - Throws: ``CommandFailure`` if the file cannot be read or has no secret.
  static func secret(in path: String) throws -> String {
    let text = try InputFile.text(path, of: clientSecret)
    let secret = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !secret.isEmpty, secret.utf8.count <= 4096, secret.utf8.allSatisfy({ $0 >= 0x20 }) else {
      throw CommandFailure(
        "\(path), which --oidc-client-secret-file names, must be one line with the client's secret")
    }
    return secret
  }

  private static let issuerForm = ValueForm<String>(
    "URL", takes: "https://HOST, with a path if the provider has one, or http on this machine",
    isSecret: true
  ) { text in
    IdentityProvider.admits(text) && URLComponents(string: text)?.query == nil ? text : nil
  }
}
