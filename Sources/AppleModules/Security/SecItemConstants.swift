// The constants have Apple's names and values: "SecItem.h" and Apple's published Security.

public import Foundation

// MARK: Keys of a query

/// The class of the item.
nonisolated(unsafe) public let kSecClass: CFString = "class"
/// The secret of the item.
nonisolated(unsafe) public let kSecValueData: CFString = "v_Data"
/// The reference to the item, which is not modelled.
nonisolated(unsafe) public let kSecValueRef: CFString = "v_Ref"
/// The persistent reference to the item, which is not modelled.
nonisolated(unsafe) public let kSecValuePersistentRef: CFString = "v_PersistentRef"
/// The request for the secret.
nonisolated(unsafe) public let kSecReturnData: CFString = "r_Data"
/// The request for the attributes.
nonisolated(unsafe) public let kSecReturnAttributes: CFString = "r_Attributes"
/// The request for a reference, which is not modelled.
nonisolated(unsafe) public let kSecReturnRef: CFString = "r_Ref"
/// The request for a persistent reference, which is not modelled.
nonisolated(unsafe) public let kSecReturnPersistentRef: CFString = "r_PersistentRef"
/// The number of items that are wanted.
nonisolated(unsafe) public let kSecMatchLimit: CFString = "m_Limit"
/// The choice of the keychain on macOS, which has no effect on a phone.
nonisolated(unsafe) public let kSecUseDataProtectionKeychain: CFString = "nleg"
/// The rule for dialogs, of which the model has none.
nonisolated(unsafe) public let kSecUseAuthenticationUI: CFString = "u_AuthUI"
/// The text of a dialog, of which the model has none.
nonisolated(unsafe) public let kSecUseOperationPrompt: CFString = "u_OpPrompt"
/// The context of authentication, which the model does not have.
nonisolated(unsafe) public let kSecUseAuthenticationContext: CFString = "u_AuthCtx"

// MARK: Values of `kSecMatchLimit`

/// The first item.
nonisolated(unsafe) public let kSecMatchLimitOne: CFString = "m_LimitOne"
/// The list of all items.
nonisolated(unsafe) public let kSecMatchLimitAll: CFString = "m_LimitAll"

// MARK: Values of `kSecUseAuthenticationUI`

/// The permission of dialogs.
nonisolated(unsafe) public let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
/// The failure in place of a dialog.
nonisolated(unsafe) public let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
/// The omission of items that need a dialog.
nonisolated(unsafe) public let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"

// MARK: Values of `kSecClass`

/// The class of generic passwords.
nonisolated(unsafe) public let kSecClassGenericPassword: CFString = "genp"
/// The class of internet passwords.
nonisolated(unsafe) public let kSecClassInternetPassword: CFString = "inet"
/// The class of keys.
nonisolated(unsafe) public let kSecClassKey: CFString = "keys"
/// The class of certificates, which is not modelled.
nonisolated(unsafe) public let kSecClassCertificate: CFString = "cert"
/// The class of identities, which is not modelled.
nonisolated(unsafe) public let kSecClassIdentity: CFString = "idnt"

// MARK: Attributes

/// The access group.
nonisolated(unsafe) public let kSecAttrAccessGroup: CFString = "agrp"
/// The protection class.
nonisolated(unsafe) public let kSecAttrAccessible: CFString = "pdmn"
/// The account.
nonisolated(unsafe) public let kSecAttrAccount: CFString = "acct"
/// The service of a generic password.
nonisolated(unsafe) public let kSecAttrService: CFString = "svce"
/// The app's own data of a generic password.
nonisolated(unsafe) public let kSecAttrGeneric: CFString = "gena"
/// The label.
nonisolated(unsafe) public let kSecAttrLabel: CFString = "labl"
/// The description.
nonisolated(unsafe) public let kSecAttrDescription: CFString = "desc"
/// The comment.
nonisolated(unsafe) public let kSecAttrComment: CFString = "icmt"
/// The creator's number.
nonisolated(unsafe) public let kSecAttrCreator: CFString = "crtr"
/// The type's number.
nonisolated(unsafe) public let kSecAttrType: CFString = "type"
/// The time of creation.
nonisolated(unsafe) public let kSecAttrCreationDate: CFString = "cdat"
/// The time of the last change.
nonisolated(unsafe) public let kSecAttrModificationDate: CFString = "mdat"
/// The mark of an invisible item.
nonisolated(unsafe) public let kSecAttrIsInvisible: CFString = "invi"
/// The mark of an item without a password.
nonisolated(unsafe) public let kSecAttrIsNegative: CFString = "nega"
/// The mark of an item that iCloud synchronizes.
nonisolated(unsafe) public let kSecAttrSynchronizable: CFString = "sync"
/// The server of an internet password.
nonisolated(unsafe) public let kSecAttrServer: CFString = "srvr"
/// The protocol of an internet password.
nonisolated(unsafe) public let kSecAttrProtocol: CFString = "ptcl"
/// The kind of authentication of an internet password.
nonisolated(unsafe) public let kSecAttrAuthenticationType: CFString = "atyp"
/// The port of an internet password.
nonisolated(unsafe) public let kSecAttrPort: CFString = "port"
/// The path of an internet password.
nonisolated(unsafe) public let kSecAttrPath: CFString = "path"
/// The domain of an internet password.
nonisolated(unsafe) public let kSecAttrSecurityDomain: CFString = "sdmn"
/// The label of a key for programs.
nonisolated(unsafe) public let kSecAttrApplicationLabel: CFString = "klbl"
/// The tag of a key.
nonisolated(unsafe) public let kSecAttrApplicationTag: CFString = "atag"
/// The kind of a key.
nonisolated(unsafe) public let kSecAttrKeyClass: CFString = "kcls"
/// The algorithm of a key.
nonisolated(unsafe) public let kSecAttrKeyType: CFString = "type"
/// The size of a key.
nonisolated(unsafe) public let kSecAttrKeySizeInBits: CFString = "bsiz"
/// The effective size of a key.
nonisolated(unsafe) public let kSecAttrEffectiveKeySize: CFString = "esiz"
/// The mark of a key that is kept.
nonisolated(unsafe) public let kSecAttrIsPermanent: CFString = "perm"
/// The conditions of access, which are not modelled.
nonisolated(unsafe) public let kSecAttrAccessControl: CFString = "accc"

// MARK: Values of `kSecAttrSynchronizable`

/// The items with and without the mark.
nonisolated(unsafe) public let kSecAttrSynchronizableAny: CFString = "syna"

// MARK: Values of `kSecAttrAccessible`

/// The class of items that are readable while the phone is unlocked.
nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// The class of items that are readable after the first unlock.
nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// The class of items that are always readable.
nonisolated(unsafe) public let kSecAttrAccessibleAlways: CFString = "dk"
/// The class of items that are readable while the phone is unlocked, and stay on it.
nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// The class of items that are readable after the first unlock, and stay on the phone.
nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// The class of items that are always readable, and stay on the phone.
nonisolated(unsafe) public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
/// The class of items that are readable while a phone with a passcode is unlocked, and stay on it.
nonisolated(unsafe) public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"

// MARK: Values of `kSecAttrKeyClass` and `kSecAttrKeyType`

/// The kind of public keys.
nonisolated(unsafe) public let kSecAttrKeyClassPublic: CFString = "0"
/// The kind of private keys.
nonisolated(unsafe) public let kSecAttrKeyClassPrivate: CFString = "1"
/// The kind of symmetric keys.
nonisolated(unsafe) public let kSecAttrKeyClassSymmetric: CFString = "2"
/// The algorithm RSA.
nonisolated(unsafe) public let kSecAttrKeyTypeRSA: CFString = "42"
/// The algorithm of elliptic curves.
nonisolated(unsafe) public let kSecAttrKeyTypeEC: CFString = "73"
/// The algorithm of NIST's elliptic curves.
nonisolated(unsafe) public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"

// MARK: Values of `kSecAttrProtocol`

/// The protocol HTTP.
nonisolated(unsafe) public let kSecAttrProtocolHTTP: CFString = "http"
/// The protocol HTTPS.
nonisolated(unsafe) public let kSecAttrProtocolHTTPS: CFString = "htps"
