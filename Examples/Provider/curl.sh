#!/usr/bin/env bash
set -euo pipefail

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

# The provider token: a JSON Web Token, signed with the key.
header=$(echo '{"alg": "ES256", "kid": "KEY1234567"}' | base64url)
claims=$(echo '{"iss": "TEAM123456", "iat": '"$(date +%s)"'}' | base64url)
signature=$(printf '%s' "$header.$claims" | openssl dgst -sha256 -sign AuthKey.p8 | base64url)

curl --silent --show-error --http2 --cacert martlet-sandbox/ca.pem \
  --header "authorization: bearer $header.$claims.$signature" \
  --header 'apns-topic: com.example.app' --header 'apns-push-type: alert' \
  --data @push.json --write-out '%{http_code} %header{apns-id}\n' \
  https://127.0.0.1:2197/3/device/00ff
