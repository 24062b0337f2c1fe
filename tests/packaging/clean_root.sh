#!/usr/bin/env bash
# Proves that the two commands of the README suffice on a bare system: makes a minimal root, clones the committed
# tree into it, and runs ./dev demo and ./dev test there. The last line is that of ./dev test.
# Usage: clean_root.sh SUITE [DIRECTORY] [COMMAND...]
#   SUITE      bookworm or trixie (Debian 12, 13), or noble (Ubuntu 24.04: needs MIRROR, the address of a mirror of it)
#   DIRECTORY  keeps the root for the next run; without it the root is temporary
#   COMMAND    what to run in the clone instead of the two commands
# Needs root, debootstrap and a package mirror: the one that apt uses on this machine, or $MIRROR.
set -euo pipefail
suite=${1:?which suite: bookworm, trixie or noble?}
root=${2:-}
source=$(git -C "$(dirname "${BASH_SOURCE[0]}")" rev-parse --show-toplevel)
commands=${*:3}
: "${commands:=./dev demo && ./dev test}"

temporary=
[ -n "$root" ] || { root=$(mktemp -d); temporary=yes; }

leave() {
  umount "$root/proc" 2>/dev/null || true
  [ -z "$temporary" ] || mountpoint -q "$root/proc" || rm -rf --one-file-system "$root"
}
trap leave EXIT

# The first mirror of the Debian archive that apt knows here; no host is named in this tree.
mirror() {
  [ -z "${MIRROR:-}" ] || { echo "$MIRROR"; return; }
  # shellcheck disable=SC2016  # apt expands it
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sort -u | grep -m 1 '/debian/\?$'
}

# A Debian host knows neither the newer suites of Ubuntu, which are all set up alike, nor their key.
if [ ! -e "$root/etc/debian_version" ] && [ "$suite" = noble ]; then
  debootstrap --no-check-gpg --variant=minbase --components=main,universe noble "$root" \
    "${MIRROR:?the address of an Ubuntu mirror}" /usr/share/debootstrap/scripts/gutsy >&2
elif [ ! -e "$root/etc/debian_version" ]; then
  debootstrap --variant=minbase "$suite" "$root" "$(mirror)" >&2
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
apt-config dump | grep '^Acquire::\(http\|https\|Check\)' >"$root/etc/apt/apt.conf.d/99host" || true
# Everything works without /proc, only with less knowledge of the machine's memory and cores.
mount -t proc proc "$root/proc" 2>/dev/null || true

# The clone is made from outside, since a bare root has no git. What an earlier run built is kept.
rm -rf "$root/clone"
git clone --quiet --depth 1 "file://$source" "$root/clone"
[ ! -d "$root/headrace/build" ] || mv "$root/headrace/build" "$root/clone/build"
rm -rf "$root/headrace"
mv "$root/clone" "$root/headrace"

chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TERM=dumb \
  http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" \
  bash -c "cd /headrace && $commands"
