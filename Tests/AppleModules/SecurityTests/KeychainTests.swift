import Foundation
import TestSupport
import Testing

@testable import Security

/// A keychain with two access groups, and calls of it with Apple's names.
@Suite("The keychain")
struct KeychainTests {
  typealias Query = [CFString: Any]

  static let now = Date(timeIntervalSince1970: 1_800_000_000)
  static let later = Date(timeIntervalSince1970: 1_800_000_060)
  static var password: Query {
    [kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: "a"]
  }

  private func keychain(_ groups: [String] = ["T.one", "T.two"]) -> Keychain {
    Keychain(items: [], groups: groups)
  }

  private func status(_ body: () throws(KeychainError) -> Void) -> OSStatus {
    do throws(KeychainError) {
      try body()
      return errSecSuccess
    } catch { return error.status }
  }

  private func add(_ query: Query, to keychain: inout Keychain) -> OSStatus {
    status { () throws(KeychainError) in
      _ = try keychain.add(query as NSDictionary, at: Self.now)
    }
  }

  private func secret(_ text: String) -> Query { [kSecValueData: Data(text.utf8)] }

  @Test("its files are for their owner alone, also after a change")
  func modes() throws {
    let temporary = TemporaryFolder()
    let folder = KeychainFolder(url: URL(filePath: temporary.path("keychain")))
    for secret in ["1", "2"] {
      try folder.use(["T.one"]) { items in
        items = [
          KeychainItem(
            kind: .genericPassword, attributes: ["agrp": .text("T.one")], secret: Data(secret.utf8))
        ]
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: temporary.path("keychain"))
      #expect(names.count == 1)
      for path in [temporary.path("keychain")] + names.map({ temporary.path("keychain/\($0)") }) {
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect((mode as? Int ?? 0) & 0o077 == 0, "\(path)")
      }
    }
  }

  @Test(
    "a file that is not understood is refused, and stays as it is",
    arguments: [
      "<key>class</key><string>genp</string><key>attributes</key><dict><key>x</key><array/></dict>",
      "<key>class</key><string>cert</string><key>attributes</key><dict><key>agrp</key><string/></dict>",
      "<key>class</key><string>genp</string>",
      """
      <key>class</key><string>genp</string><key>secret</key><string>text</string>
      <key>attributes</key><dict><key>agrp</key><string>g</string></dict>
      """,
    ])
  func foreign(entry: String) throws {
    let temporary = TemporaryFolder()
    let text = "<plist version=\"1.0\"><array><dict>\(entry)</dict></array></plist>"
    _ = try temporary.write(text, to: "g.plist")
    let folder = KeychainFolder(url: temporary.url)
    #expect(
      status { () throws(KeychainError) in try folder.use(["g"]) { $0 = [] } } == errSecIO)
    #expect(try String(contentsOfFile: temporary.path("g.plist"), encoding: .utf8) == text)
  }

  @Test("an item is added, found, changed and deleted")
  func life() throws {
    var keychain = keychain()
    #expect(add(Self.password.merging(secret("1")) { $1 }, to: &keychain) == errSecSuccess)
    let query = Self.password.merging([kSecReturnData: true]) { $1 } as NSDictionary
    #expect(try keychain.find(query) as? Data == Data("1".utf8))
    try keychain.update(
      Self.password as NSDictionary, to: secret("2") as NSDictionary, at: Self.later)
    #expect(try keychain.find(query) as? Data == Data("2".utf8))
    let attributes = try #require(
      try keychain.find(
        Self.password.merging([kSecReturnAttributes: true, kSecReturnData: true]) { $1 }
          as NSDictionary) as? [String: Any])
    #expect(attributes[kSecAttrAccessGroup as String] as? String == "T.one")
    #expect(attributes[kSecAttrAccessible as String] as? String == "ak")
    #expect(attributes[kSecAttrCreationDate as String] as? Date == Self.now)
    #expect(attributes[kSecAttrModificationDate as String] as? Date == Self.later)
    #expect(attributes[kSecValueData as String] as? Data == Data("2".utf8))
    try keychain.delete(Self.password as NSDictionary)
    #expect(status { () throws(KeychainError) in _ = try keychain.find(query) } == -25300)
    #expect(
      status { () throws(KeychainError) in
        try keychain.delete(Self.password as NSDictionary)
      } == -25300)
    #expect(
      status { () throws(KeychainError) in
        try keychain.update(
          Self.password as NSDictionary, to: secret("3") as NSDictionary, at: Self.later)
      } == -25300)
  }

  /// Further entries of an item beside one with service, account and the first group.
  static var others: [(Query, OSStatus)] {
    [
      ([:], -25299), ([kSecAttrLabel: "other"], -25299), ([kSecAttrGeneric: Data([1])], -25299),
      ([kSecAttrAccount: "b"], 0), ([kSecAttrService: "t"], 0), ([kSecAttrAccessGroup: "T.two"], 0),
      ([kSecAttrSynchronizable: true], 0), ([kSecAttrAccessGroup: "T.three"], -34018),
    ]
  }

  @Test("two items differ in group, service, account or iCloud", arguments: others.indices)
  func duplicates(index: Int) {
    let (entries, expected) = Self.others[index]
    var keychain = keychain()
    #expect(add(Self.password, to: &keychain) == errSecSuccess)
    #expect(add(Self.password.merging(entries) { $1 }, to: &keychain) == expected)
  }

  /// Queries that a function refuses, with the status of Apple's published Security.
  static var refusals: [(KeychainQuery.Use, Query, OSStatus)] {
    [
      (.add, [kSecAttrService: "s"], -50),  // no class
      (.add, [kSecClass: "none"], -25306),
      (.add, [kSecClass: kSecClassCertificate], -4),
      (.add, password.merging([kSecValueData: "a text"]) { $1 }, -50),
      (.add, password.merging([kSecMatchLimit: kSecMatchLimitOne]) { $1 }, -50),
      (.add, password.merging([kSecAttrServer: "example.com"]) { $1 }, -25303),
      (.add, password.merging([kSecAttrAccessible: "none"]) { $1 }, -50),
      (.add, password.merging([kSecAttrAccessControl: 1]) { $1 }, -4),
      (.add, password.merging(["unknown": 1]) { $1 }, -50),
      (.find, password.merging([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]) { $1 }, 0),
      (.find, password.merging(["zzzz": 1]) { $1 }, -25303),
      (.find, password.merging([kSecMatchLimit: 0]) { $1 }, -50),
      (.find, password.merging([kSecReturnData: "yes"]) { $1 }, -50),
      (.find, password.merging([kSecReturnRef: true]) { $1 }, -4),
      (.find, password.merging([kSecValueRef: 1]) { $1 }, -4),
      (.find, password.merging(["m_Policy": 1]) { $1 }, -4),
      (.update, password.merging([kSecReturnData: true]) { $1 }, -50),
      (.delete, password.merging([kSecMatchLimit: kSecMatchLimitAll]) { $1 }, -50),
      (.changes, [kSecClass: kSecClassGenericPassword], -50),
      (.changes, [kSecReturnData: true], -50),
      (.changes, [kSecMatchLimit: kSecMatchLimitOne], -50),
    ]
  }

  @Test("a wrong dictionary is refused", arguments: refusals.indices)
  func refusal(index: Int) {
    let (use, query, expected) = Self.refusals[index]
    #expect(
      status { () throws(KeychainError) in _ = try KeychainQuery(query as NSDictionary, for: use) }
        == expected)
  }

  @Test("a change to the attributes of another item is refused, and changes nothing")
  func conflict() {
    var keychain = keychain()
    #expect(add(Self.password, to: &keychain) == errSecSuccess)
    #expect(
      add(Self.password.merging([kSecAttrAccount: "b"]) { $1 }, to: &keychain) == errSecSuccess)
    let before = keychain.items
    func change(_ query: Query, to changes: Query) -> OSStatus {
      status { () throws(KeychainError) in
        try keychain.update(query as NSDictionary, to: changes as NSDictionary, at: Self.later)
      }
    }
    #expect(change(Self.password, to: [kSecAttrAccount: "b"]) == errSecDuplicateItem)
    #expect(change(Self.password, to: [kSecAttrServer: "x"]) == errSecNoSuchAttr)
    #expect(change(Self.password, to: [kSecAttrAccessGroup: "T.three"]) == -34018)
    #expect(keychain.items == before)
    #expect(change(Self.password, to: [kSecAttrAccessGroup: "T.two"]) == errSecSuccess)
    #expect(keychain.items.filter { $0.group == "T.two" }.count == 1)
  }

  @Test("a query finds one item or as many as it wants, of the groups of the process")
  func limits() throws {
    var keychain = keychain()
    for account in ["a", "b", "c"] {
      #expect(
        add(Self.password.merging([kSecAttrAccount: account]) { $1 }, to: &keychain)
          == errSecSuccess)
    }
    let all: Query = [kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true]
    func found(_ limit: Any) throws -> Int? {
      try
        (keychain.find(all.merging([kSecMatchLimit: limit]) { $1 } as NSDictionary)
        as? [[String: Any]])?.count
    }
    #expect(try keychain.find(all as NSDictionary) is NSDictionary)
    #expect(try found(kSecMatchLimitAll) == 3 && found(2) == 2 && found(4) == 3)
    #expect(try keychain.find(Self.password as NSDictionary) == nil)
    try keychain.delete([kSecClass: kSecClassGenericPassword] as NSDictionary)
    #expect(keychain.items.isEmpty)
    var foreign = self.keychain([])
    #expect(add(Self.password, to: &foreign) == errSecMissingEntitlement)
  }

  @Test("items for iCloud are found only by queries that name them")
  func synchronizable() throws {
    var keychain = keychain()
    #expect(
      add(Self.password.merging([kSecAttrSynchronizable: true]) { $1 }, to: &keychain)
        == errSecSuccess)
    func isFound(_ value: Any?) -> Bool {
      var query = Self.password
      query[kSecAttrSynchronizable] = value
      return status { () throws(KeychainError) in _ = try keychain.find(query as NSDictionary) }
        == errSecSuccess
    }
    #expect(!isFound(nil) && !isFound(false) && isFound(true))
    #expect(isFound(kSecAttrSynchronizableAny))
  }

  @Test("internet passwords and keys have attributes of their own")
  func classes() throws {
    var keychain = keychain()
    let server: Query = [
      kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.com", kSecAttrPort: 443,
      kSecAttrProtocol: kSecAttrProtocolHTTPS, kSecValueData: Data([1]),
    ]
    #expect(add(server, to: &keychain) == errSecSuccess)
    #expect(add(server, to: &keychain) == errSecDuplicateItem)
    let key: Query = [
      kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("tag".utf8),
      kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecValueData: Data([2]),
    ]
    #expect(add(key, to: &keychain) == errSecSuccess)
    let found = try keychain.find(
      [
        kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("tag".utf8), kSecReturnData: true,
      ] as NSDictionary)
    #expect(found as? Data == Data([2]))
    #expect(add([kSecClass: kSecClassKey, kSecAttrService: "s"], to: &keychain) == -25303)
  }
}

@Suite("The files of a keychain")
struct KeychainFolderTests {
  @Test("keep the items of each access group")
  func files() throws {
    let folder = TemporaryFolder()
    let keychain = KeychainFolder(url: folder.url)
    let item = KeychainItem(
      kind: .genericPassword,
      attributes: [
        "agrp": .text("T.one/two"), "acct": .bytes(Data([1])), "crtr": .number(7),
        "cdat": .date(Date(timeIntervalSince1970: 1.5)),
      ], secret: Data([9]))
    try keychain.use(["T.one/two", "T.two"]) { items throws(KeychainError) in items = [item] }
    let read = try keychain.use(["T.one/two"]) { items throws(KeychainError) in items }
    #expect(read == [item])
    #expect(try keychain.use(["T.two"]) { items throws(KeychainError) in items }.isEmpty)
    #expect(folder.contents == ["T%2Eone%2Ftwo.plist"])
  }

  @Test("that cannot be read are an error, and stay", arguments: ["", "no list", "<plist/>"])
  func damage(content: String) throws {
    let folder = TemporaryFolder()
    _ = try folder.write(content, to: "T.plist")
    #expect(throws: KeychainError(status: errSecIO)) {
      try KeychainFolder(url: folder.url).use(["T"]) { items throws(KeychainError) in items = [] }
    }
    #expect(try String(contentsOf: folder.file("T.plist"), encoding: .utf8) == content)
  }
}

@Suite("The other functions of Security")
struct SecurityTests {
  @Test("random bytes differ")
  func random() {
    var (one, two) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
    #expect(SecRandomCopyBytes(kSecRandomDefault, one.count, &one) == errSecSuccess)
    #expect(SecRandomCopyBytes(nil, two.count, &two) == errSecSuccess && one != two)
    #expect(SecRandomCopyBytes(kSecRandomDefault, -1, &one) == errSecParam)
  }

  @Test("a status has a text")
  func texts() {
    #expect(
      SecCopyErrorMessageString(errSecItemNotFound, nil) as String? == "There is no such item.")
    #expect(SecCopyErrorMessageString(1, nil) == nil)
  }
}
