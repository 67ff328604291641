#!/usr/bin/env bash
# Runs a command as on a machine that nobody has used: no fonts, empty temporary folders, no caches of this project but
# the Temporal program, whose build takes minutes. Only the command and its children see it so.
#   dev/bare.sh COMMAND…    dev/bare.sh --why-not   prints why this machine cannot do that; nothing when it can
set -euo pipefail

why_not() {
  [ "$(uname -s)" = Linux ] || { echo 'it is not Linux'; return; }
  [ "$(id -u)" = 0 ] || { echo 'it needs root'; return; }
  command -v unshare >/dev/null || { echo 'unshare is not installed'; return; }
  unshare --mount true 2>/dev/null || echo 'the kernel refuses a mount namespace'
}

if [ "${1:-}" = --why-not ]; then
  why_not
  exit
fi
reason=$(why_not)
[ -z "$reason" ] || { echo "dev/bare.sh: not possible here: $reason." >&2; exit 77; }

# Programs and settings of this machine that would stand in for the project's own.
unset TMPDIR CHROMIUM_PATH DATABASE_URL DATABASE_OWNER_URL TEMPORAL_ADDRESS FONTCONFIG_FILE FONTCONFIG_PATH
export BARE_CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/scan-audit"
# Built again, the Temporal program takes seconds with what Go has compiled before.
if [ -z "${GOCACHE:-}" ] && command -v go >/dev/null; then GOCACHE=$(go env GOCACHE) && export GOCACHE; fi
export XDG_CACHE_HOME=/var/cache/scan-audit/home

exec unshare --mount --propagation private bash -euo pipefail -c '
empty() {
  for folder in "$@"; do
    # What is worked on must stay.
    case "$PWD/" in "$folder"/*) continue ;; esac
    [ ! -d "$folder" ] || mount -t tmpfs -o "mode=$(stat -c %a "$folder")" tmpfs "$folder"
  done
}
empty /tmp /var/tmp /dev/shm
empty /usr/share/fonts /usr/local/share/fonts /usr/share/X11/fonts /opt/fonts /var/task "$HOME/.fonts" "$HOME/.local/share/fonts"
mkdir -p /var/cache/scan-audit
empty /var/cache/scan-audit /var/cache/fontconfig "$HOME/.cache/fontconfig" "$HOME/.cache/ms-playwright"
mkdir -p "$XDG_CACHE_HOME/scan-audit"
for program in "$BARE_CACHE"/temporal-*; do
  [ ! -d "$program" ] || ln -s "$program" "$XDG_CACHE_HOME/scan-audit/"
done
unset BARE_CACHE
for name in chromium chromium-browser google-chrome psql postgres temporal; do
  file=$(command -v "$name" || true)
  [ -z "$file" ] || mount --bind /dev/null "$file"
done
exec "$@"' bare "$@"
