#!/usr/bin/env bash
# Installs the Debian packages on a bare system, uses them as a user would, and removes them: nothing may be left.
# Usage: bare_packages.sh SUITE [DIRECTORY]
#   SUITE      bookworm or trixie; packages of another suite than this machine's are built in a bare root of their own
#   DIRECTORY  keeps the roots for the next run; without it they are temporary
# Needs root, debootstrap and a package mirror, as clean_root.sh. Where one of them is missing it says so and skips.
set -euo pipefail
suite=${1:?which suite: bookworm or trixie?}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sources=$(cd "$here/../.." && pwd)
skip() { echo "skipped: $*"; echo "0 passed, 0 failed, 1 skipped"; exit 0; }
[ "$(id -u)" -eq 0 ] || skip "needs root for chroot"
command -v debootstrap >/dev/null || skip "no debootstrap here"

folder=${2:-}
temporary=
[ -n "$folder" ] || { folder=$(mktemp -d); temporary=yes; }
# shellcheck disable=SC2317  # called by the trap
leave() {
  umount "$folder/$suite-bare/proc" 2>/dev/null || true
  [ -z "$temporary" ] || rm -rf --one-file-system "$folder"
}
trap leave EXIT
mkdir -p "$folder"
if ! "$here/clean_root.sh" "$suite" "$folder/$suite-bare" true; then
  [ -e "$folder/$suite-bare/etc/debian_version" ] || skip "no bare root of $suite can be made here (mirror)"
  echo "0 passed, 1 failed"
  exit 1
fi
# shellcheck disable=SC1091
if [ "$(. /etc/os-release && echo "$VERSION_CODENAME")" = "$suite" ]; then
  (cd "$sources" && ./dev package >&2)
  packages=$sources/build/package
else
  "$here/clean_root.sh" "$suite" "$folder/$suite-build" './dev setup --tools && ./dev package' >&2
  packages=$folder/$suite-build/headrace/build/package
fi

root=$folder/$suite-bare
rm -rf "$root/packages"
mkdir "$root/packages"
cp "$packages"/*.deb "$root/packages"
cp "$here/bare_packages_inside" "$root/packages/inside"
mount -t proc proc "$root/proc"
status=0
# Its home is in /tmp: what the user keeps there is not of the packages.
chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive \
  http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" bash /packages/inside || status=$?
umount "$root/proc"
rm -rf "$root/packages"
if [ $status -eq 0 ]; then echo "1 passed, 0 failed"; else echo "0 passed, 1 failed"; fi
exit $status
