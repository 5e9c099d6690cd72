extension PostgreSQLSchema {
  /// The accounts of people, and names of keys: version 109, as ``SQLiteSchema/accounts``.
  static let accounts = """
    CREATE TABLE accounts (
      id TEXT COLLATE "C" PRIMARY KEY, email TEXT COLLATE "C" NOT NULL UNIQUE,
      name TEXT COLLATE "C" NOT NULL, password TEXT COLLATE "C", second_factor BYTEA,
      last_step BIGINT NOT NULL, created_at BIGINT NOT NULL
    );
    CREATE TABLE account_roles (
      account TEXT COLLATE "C" NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
      app TEXT COLLATE "C" NOT NULL, role TEXT COLLATE "C" NOT NULL,
      PRIMARY KEY (account, app)
    );
    CREATE INDEX account_roles_by_app ON account_roles(app);
    CREATE TABLE account_links (
      hash BYTEA PRIMARY KEY,
      account TEXT COLLATE "C" NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX account_links_by_account ON account_links(account);
    CREATE TABLE recovery_codes (
      account TEXT COLLATE "C" NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
      hash BYTEA NOT NULL,
      PRIMARY KEY (account, hash)
    );
    CREATE TABLE account_sessions (
      hash BYTEA PRIMARY KEY,
      account TEXT COLLATE "C" NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
      confirmed BOOL NOT NULL, created_at BIGINT NOT NULL, seen_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL, address TEXT COLLATE "C" NOT NULL,
      agent TEXT COLLATE "C" NOT NULL
    );
    CREATE INDEX account_sessions_by_account ON account_sessions(account);
    CREATE INDEX account_sessions_by_end ON account_sessions(expires_at);
    ALTER TABLE keys ADD COLUMN name TEXT COLLATE "C";
    ALTER TABLE audit ADD COLUMN account TEXT COLLATE "C";
    ALTER TABLE audit ADD COLUMN name TEXT COLLATE "C";
    """

  /// The identities of people at identity providers: version 111, as ``SQLiteSchema/identities``.
  static let identities = """
    CREATE TABLE account_identities (
      issuer TEXT COLLATE "C" NOT NULL, subject TEXT COLLATE "C" NOT NULL,
      account TEXT COLLATE "C" NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
      PRIMARY KEY (issuer, subject)
    );
    CREATE UNIQUE INDEX account_identities_by_account ON account_identities(account, issuer);
    """

  /// The passkeys of people: version 112, as ``SQLiteSchema/passkeys``.
  static let passkeys = """
    CREATE TABLE account_passkeys (
      id BYTEA PRIMARY KEY,
      account TEXT COLLATE "C" NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
      public_key BYTEA NOT NULL, signature_count BIGINT NOT NULL, name TEXT COLLATE "C" NOT NULL,
      created_at BIGINT NOT NULL, used_at BIGINT
    );
    CREATE INDEX account_passkeys_by_account ON account_passkeys(account);
    """

  /// The attempts to enter a code of the second factor: version 117, as ``SQLiteSchema/codeAttempts``.
  static let codeAttempts = """
    ALTER TABLE accounts ADD COLUMN codes_spent_until BIGINT NOT NULL DEFAULT 0;
    """

  /// The makers of links, and the budgets of tests: version 118, as ``SQLiteSchema/authority``.
  static let authority = """
    ALTER TABLE account_links ADD COLUMN maker TEXT COLLATE "C";
    ALTER TABLE account_links ADD COLUMN scope TEXT COLLATE "C";
    CREATE TABLE test_budgets (
      actor TEXT COLLATE "C" PRIMARY KEY, hour BIGINT NOT NULL, devices BIGINT NOT NULL
    );
    ALTER TABLE limits ADD COLUMN every_send BOOL NOT NULL DEFAULT FALSE;
    """

  /// The makers of credentials: version 119, as ``SQLiteSchema/credentialMakers``.
  static let credentialMakers = """
    ALTER TABLE accounts ADD COLUMN maker TEXT COLLATE "C";
    ALTER TABLE accounts ADD COLUMN scope TEXT COLLATE "C";
    """

  /// The last uses of keys, and why calls of webhooks failed: version 123, as ``SQLiteSchema/keyUses``.
  static let keyUses = """
    ALTER TABLE keys ADD COLUMN used_at BIGINT;
    ALTER TABLE keys ADD COLUMN used_from TEXT COLLATE "C";
    ALTER TABLE webhook_calls ADD COLUMN failure TEXT COLLATE "C";
    """
}
