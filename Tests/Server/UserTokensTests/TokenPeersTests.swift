import CryptoKit
import Foundation
import PushCrypto
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import UserTokens

/// The functions of `docs/server/identity.md` sign tokens, as the page has them.
@Suite("User tokens as docs/server/identity.md signs them", .timeLimit(.minutes(10)))
struct TokenPeersTests {
  func userToken(
    for userID: String, email: String?, bundleID: String, key: String
  ) throws -> String {
    func base64URL(_ data: Data) -> String {
      data.base64EncodedString()
        .replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
    }
    struct Claims: Encodable {
      let sub: String
      let email: String?
      let aud: String
      let exp: Int
    }
    let expiry = Int(Date().timeIntervalSince1970) + 3600
    let claims = Claims(sub: userID, email: email, aud: bundleID, exp: expiry)
    let header = base64URL(Data(#"{"alg":"ES256","typ":"JWT"}"#.utf8))
    let signed = header + "." + base64URL(try JSONEncoder().encode(claims))
    let privateKey = try P256.Signing.PrivateKey(pemRepresentation: key)
    let signature = try privateKey.signature(for: Data(signed.utf8))
    return signed + "." + base64URL(signature.rawRepresentation)
  }

  @Test("in Swift")
  func swift() throws {
    try expectSnippets(of: "docs/server/identity.md", in: #filePath)
    let key = OpenSSLCrypto.makeP256KeyPEM()
    for email in ["ada@example.com", nil] {
      let token = try userToken(for: "ada/ä", email: email, bundleID: "com.example.app", key: key)
      try expect(token, signedBy: key, email: email)
    }
  }

  @Test(
    "in Python and in JavaScript",
    arguments: [
      (
        "python", "python/bin/python",
        """
        import sys
        key = open(sys.argv[1]).read()
        for email in ["ada@example.com", None]:
            print(user_token("ada/ä", email, "com.example.app", key))
        """
      ),
      (
        "js", "node",
        """
        import { readFileSync } from "node:fs";
        const key = readFileSync(process.argv[2], "utf8");
        for (const email of ["ada@example.com", undefined]) {
          console.log(userToken({ userID: "ada/ä", email, bundleID: "com.example.app", key }));
        }
        """
      ),
    ])
  func script(language: String, program: String, driver: String) async throws {
    let root = Repository.root
    let page = try String(
      contentsOf: root.appending(path: "docs/server/identity.md"), encoding: .utf8)
    let block = try #require(page.split(separator: "```\(language)\n").dropFirst().first)
    let code = try #require(block.split(separator: "\n```").first)
    let folder = TemporaryFolder()
    let pem = OpenSSLCrypto.makeP256KeyPEM()
    let key = try folder.write(pem, to: "identity.pem")
    let script = try folder.write(
      "\(code)\n\n\(driver)\n", to: language == "js" ? "token.mjs" : "token_of_user.py")
    let run = await runProgram(
      language == "js" ? "/usr/bin/\(program)" : root.appending(path: ".build/\(program)").path(),
      [script, key])
    #expect(run.status == 0, "\(run.output)")
    let tokens = run.output.split(separator: "\n").map(String.init)
    try #require(tokens.count == 2, "\(run.output)")
    try expect(tokens[0], signedBy: pem, email: "ada@example.com")
    try expect(tokens[1], signedBy: pem, email: nil)
  }

  /// Expects that a token is valid now and for this app alone.
  private func expect(_ token: String, signedBy pem: String, email: String?) throws {
    let key = try OpenSSLCrypto().publicKey(pem: OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: pem))
    let now = Int64(Date().timeIntervalSince1970)
    let read = try UserToken(token, audience: "com.example.app", keys: [key], now: now)
    #expect(read.userID == "ada/ä" && read.email == email)
    #expect(throws: UserTokenError.self) {
      try UserToken(token, audience: "com.example.other", keys: [key], now: now)
    }
    #expect(throws: UserTokenError.self) {
      try UserToken(token, audience: "com.example.app", keys: [key], now: now + 86_400)
    }
  }
}
