/// The people who sign in to the dashboard, their ways to sign in, and their sessions.
package protocol AccountStore:
  AccountLinkStore, PasswordStore, AccountIdentityStore, PasskeyStore, SecondFactorStore,
  AccountSessionStore
{
  /// Adds an account with the link with which its person chooses a password.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if the email address is taken.
  func add(_ account: Account, link: AccountLink) async throws(StoreError)
  /// All accounts, by their email addresses.
  func accounts() async throws(StoreError) -> [Account]
  func account(_ id: String) async throws(StoreError) -> Account?
  func account(email: String) async throws(StoreError) -> Account?
  /// Gives an account a role in an app or, with `nil`, in all; without a role, takes it away.
  ///
  /// A change ends the account's links and sessions, if the actor may end those of the account as it was before or is
  /// after. A higher role also removes the person's credentials if the maker of the link that set them may not make
  /// one for the changed account: the maker may have used the link in the person's place. Then links and sessions end
  /// too.
  ///
  /// - Returns: The account with its new roles; `nil` if the account does not exist.
  /// - Throws: ``StoreError/Code/refused`` if credentials would be removed, and `actor` may not make a link for new ones.
  func setRole(
    _ role: Account.Role?, app: String?, of account: String, by actor: Authority,
    at now: Timestamp
  ) async throws(StoreError) -> Account?
  /// Removes an account and its sessions.
  ///
  /// - Returns: `false` if the account does not exist.
  func removeAccount(_ id: String) async throws(StoreError) -> Bool
}
