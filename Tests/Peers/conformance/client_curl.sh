#!/usr/bin/env bash
# Sends the pushes of a conformance rule with curl and openssl, by the recipe of Apple's page "Sending push notifications
# using command-line tools", whose signature is in ASN.1.
base64url() { openssl base64 -A | tr -- '+/' '-_' | tr -d =; }
header=$(printf '{ "alg": "ES256", "kid": "%s" }' "$APNS_KEY_ID" | base64url)
claims=$(printf '{ "iss": "%s", "iat": %d }' "$APNS_TEAM_ID" "$(date +%s)" | base64url)
signature=$(printf '%s.%s' "$header" "$claims" | openssl dgst -binary -sha256 -sign "$APNS_KEY" | base64url)
for token in $APNS_TOKENS; do
  answer=$(curl --silent --max-time 8 --http2 --cacert "$APNS_CA" --write-out '\n%{http_code}' \
    --header "apns-topic: $APNS_TOPIC" --header "apns-push-type: alert" \
    --header "authorization: bearer $header.$claims.$signature" --data "$APNS_PAYLOAD" \
    "https://$APNS_HOST:$APNS_PORT/3/device/$token")
  status=${answer##*$'\n'} reason=$(sed -n 's/.*"reason":"\([^"]*\)".*/\1/p' <<<"$answer")
  [ "$status" != 000 ] || status=none
  echo "$token $status $reason"
done
