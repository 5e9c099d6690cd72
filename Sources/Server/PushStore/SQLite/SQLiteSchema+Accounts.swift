import PushModel

extension SQLiteSchema {
  /// The accounts of people, and names of keys: version 109.
  ///
  /// A program without this version signs people in only with keys.
  static let accounts = """
    -- `password` is the text of a scrypt hash, NULL until the person has chosen a password. `last_step` is
    -- the time step of the last one-time password that was used.
    CREATE TABLE accounts (
      id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT NOT NULL, password TEXT,
      second_factor BLOB, last_step INTEGER NOT NULL, created_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    -- The role of a person in an app; an empty app is all of them.
    CREATE TABLE account_roles (
      account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE, app TEXT NOT NULL,
      role TEXT NOT NULL,
      PRIMARY KEY (account, app)
    ) WITHOUT ROWID;
    CREATE INDEX account_roles_by_app ON account_roles(app);
    -- The links by which people choose a password, by the hashes of their tokens.
    CREATE TABLE account_links (
      hash BLOB PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
      expires_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX account_links_by_account ON account_links(account);
    CREATE TABLE recovery_codes (
      account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE, hash BLOB NOT NULL,
      PRIMARY KEY (account, hash)
    ) WITHOUT ROWID;
    -- The sessions of people, by the hashes of their tokens.
    CREATE TABLE account_sessions (
      hash BLOB PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
      confirmed INTEGER NOT NULL, created_at INTEGER NOT NULL, seen_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL, address TEXT NOT NULL, agent TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX account_sessions_by_account ON account_sessions(account);
    CREATE INDEX account_sessions_by_end ON account_sessions(expires_at);
    ALTER TABLE keys ADD COLUMN name TEXT;
    -- The person who made the change, and the name of the person or the key at that time.
    ALTER TABLE audit ADD COLUMN account TEXT;
    ALTER TABLE audit ADD COLUMN name TEXT;
    """

  /// The identities of people at identity providers: version 111.
  ///
  /// A program without it signs these people in with their passwords.
  static let identities = """
    CREATE TABLE account_identities (
      issuer TEXT NOT NULL, subject TEXT NOT NULL,
      account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
      PRIMARY KEY (issuer, subject)
    ) WITHOUT ROWID;
    -- One of each issuer.
    CREATE UNIQUE INDEX account_identities_by_account ON account_identities(account, issuer);
    """

  /// The passkeys of people: version 112.
  ///
  /// A program without it signs these people in with their passwords.
  static let passkeys = """
    CREATE TABLE account_passkeys (
      id BLOB PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
      public_key BLOB NOT NULL, signature_count INTEGER NOT NULL, name TEXT NOT NULL,
      created_at INTEGER NOT NULL, used_at INTEGER
    ) WITHOUT ROWID;
    CREATE INDEX account_passkeys_by_account ON account_passkeys(account);
    """

  /// The attempts to enter a code of the second factor: version 117.
  ///
  /// A program without it counts its own attempts, in memory.
  static let codeAttempts = """
    -- The instant at which all attempts are given back, by ``CodeAttempts``.
    ALTER TABLE accounts ADD COLUMN codes_spent_until INTEGER NOT NULL DEFAULT 0;
    """

  /// The makers of links, the budgets of tests, and the approval of every send: version 118.
  ///
  /// A program without it does not check a link's maker when the link is used, does not count tests, and requires
  /// approval only for campaigns.
  static let authority = """
    -- Who made the link; NULL for one that opens nothing, since a program without makers made it. No scope is all
    -- apps.
    ALTER TABLE account_links ADD COLUMN maker TEXT;
    ALTER TABLE account_links ADD COLUMN scope TEXT;
    -- The devices to which somebody has sent tests in the last hour of the clock that had any.
    CREATE TABLE test_budgets (
      actor TEXT PRIMARY KEY, hour INTEGER NOT NULL, devices INTEGER NOT NULL
    ) WITHOUT ROWID;
    -- Beside `approval`: whether nothing is sent but approved campaigns.
    ALTER TABLE limits ADD COLUMN every_send INTEGER NOT NULL DEFAULT 0;
    """

  /// The makers of credentials: version 119.
  ///
  /// In a program without it, a person who gets a higher role keeps a password that somebody with fewer rights may
  /// know.
  static let credentialMakers = """
    -- Who made the link by which the person got the first credential; NULL if it is not known, or if a provider of
    -- identities has vouched for the person. No scope is all apps.
    ALTER TABLE accounts ADD COLUMN maker TEXT;
    ALTER TABLE accounts ADD COLUMN scope TEXT;
    """

  /// The last uses of keys, and why calls of webhooks failed: version 123.
  ///
  /// A program without it records neither.
  static let keyUses = """
    -- The last recorded use of the key, at most one in an hour.
    ALTER TABLE keys ADD COLUMN used_at INTEGER;
    ALTER TABLE keys ADD COLUMN used_from TEXT;
    -- Why the last attempt failed, for the settings of the app.
    ALTER TABLE webhook_calls ADD COLUMN failure TEXT;
    """
}
