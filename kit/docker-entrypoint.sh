#!/bin/sh
# Starts one of the programs as an ordinary user. The worker keeps the capabilities to start its browser as another user
# than itself, and to end it: pages of strangers then run under a user who can read nothing of the worker's.
# A container that is not started as root runs as it is, and browser and worker have the same user.
set -eu
program=${1:-}
# As in node-flags.ts.
case "$program" in
  workflows/*) set -- --max-semi-space-size=8 "$@" ;;
esac
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
[ "$(id -u)" = 0 ] || exec node "$@"

user=${RUN_AS:-1000}
export HOME=/home/node
case "$program" in
  workflows/*) kept='-all,+setuid,+setgid,+kill' ;;
  *) kept='-all' ;;
esac
exec setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs --inh-caps="$kept" --ambient-caps="$kept" -- node "$@"
