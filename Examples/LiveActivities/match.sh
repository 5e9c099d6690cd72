#!/bin/sh
# A match for any number of followers: "above": 0 takes a broadcast channel at once, so each goal is one push.
# Usage: SERVER=https://push.example.com PUSH_KEY=KEY match.sh MATCH
set -eu
keep() {
  curl -sSf -u ":$PUSH_KEY" -X PUT -H 'Content-Type: application/json' "$SERVER/v6/activities/$match" -d "{\"activity\": $1}"
  echo
}
match=$1

keep '{
  "type": "MatchAttributes", "targets": "*", "attributes": {"match": "'"$match"'"}, "content_state": {"goals": [0, 0]},
  "alert": {"title": "Kick-off"}, "channel": {"above": 0, "storage": "most_recent"}
}'
# A phone that follows later gets the channel by MartletKit: push.liveActivities.follow(activity: match)
tries=0
until curl -sSf -u ":$PUSH_KEY" "$SERVER/v6/activities/$match" | grep -q '"channel_id": *"'; do
  tries=$((tries + 1))
  [ "$tries" -lt 60 ] || { echo "no channel was made within a minute" >&2; exit 1; }
  sleep 1
done
keep '{"content_state": {"goals": [1, 0]}, "alert": {"title": "Goal!"}}'
keep '{"content_state": {"goals": [1, 0]}, "ended": true}'
