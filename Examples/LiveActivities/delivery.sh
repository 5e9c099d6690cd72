#!/bin/sh
# A delivery as a Live Activity that the server keeps: each call says what the activity shows, and the server does the rest.
# Usage: SERVER=https://push.example.com PUSH_KEY=KEY delivery.sh ORDER PHONE
set -eu
keep() {
  curl -sSf -u ":$PUSH_KEY" -X PUT -H 'Content-Type: application/json' "$SERVER/v6/activities/$order" -d "{\"activity\": $1}"
  echo
}
order=$1
phone=$2

keep '{
  "type": "OrderAttributes", "devices": ["'"$phone"'"], "attributes": {"order": "'"$order"'"},
  "content_state": {"status": "Packing"}, "alert": {"title": "Your order", "body": "We are packing it", "sound": "default"},
  "stale_after": "PT30M", "heartbeat": "PT10M"
}'
# A person need not see each step at once: priority 5 costs nothing of the phone's budget.
keep '{"content_state": {"status": "In the van"}, "priority": 5}'
# This one alerts.
keep '{"content_state": {"status": "At your door"}, "alert": {"title": "Your order", "body": "It is at your door"}}'
keep '{"content_state": {"status": "Delivered"}, "ended": true}'
