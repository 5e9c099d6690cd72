"""An OpenID provider by other authors, oidc-provider-mock with Authlib, on a free port of this machine.

Prints its issuer, and serves until SIGTERM. Its people are given as JSON objects with "sub".
"""

import json
import signal
import sys

from oidc_provider_mock import User, run_server_in_thread

signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
people = [json.loads(text) for text in sys.argv[2:]]
users = [User(sub=person.pop("sub"), claims=person) for person in people]
with run_server_in_thread(
    user_claims=users, require_nonce=True, require_client_registration=sys.argv[1] == "registered"
) as server:
    print(f"http://localhost:{server.server_port}", flush=True)
    signal.sigwait({signal.SIGTERM})
