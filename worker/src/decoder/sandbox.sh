#!/bin/sh
# Runs a program that reads untrusted files: it sees a file system of its own, read-only but for one folder,
# and no network, other process or capability. Expects new mount, process and network namespaces, in which it is
# process 1 and may mount.
# usage: sandbox.sh ROOT OWN ACCOUNT HIDDEN SHOWN... -- PROGRAM ARGUMENT...
#   ROOT     empty folder at which the new file system is made
#   OWN      the only writable folder, at the same path in both file systems
#   ACCOUNT  uid:gid to run as, or - for the present one
#   HIDDEN   folder that is shown empty although it lies below a shown one
#   SHOWN    folder or file at the same path in both, read-only; left out where it does not exist
set -eu
root=$1 own=$2 account=$3 hidden=$4
shift 4

mount --make-rprivate /
mount -t tmpfs -o size=1m,mode=755 tmpfs "$root"

# Each command is a process, which costs as much as the mount itself: no command where the shell will do.
make_parent() { [ -d "$root${1%/*}" ] || mkdir -p "$root${1%/*}"; }
show() {
  if [ -d "$1" ]; then mkdir -p "$root$1"; else make_parent "$1" && : > "$root$1"; fi
  mount --rbind "$1" "$root$1"
}
while [ "$1" != -- ]; do
  if [ -L "$1" ]; then
    make_parent "$1"
    cp -P "$1" "$root$1"
  elif [ -e "$1" ]; then
    show "$1"
    mount -o remount,bind,ro "$root$1"
  fi
  shift
done
shift
for device in null zero random urandom; do show "/dev/$device"; done
mkdir -p "$root/proc"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
# Where these namespaces belong to the account itself, it gets no further ones.
if [ "$account" = - ]; then echo 0 > "$root/proc/sys/user/max_user_namespaces"; fi
if [ -d "$root$hidden" ]; then mount -t tmpfs -o size=64k,mode=755 tmpfs "$root$hidden"; fi
show "$own"
mount -o remount,bind,nosuid,nodev,noexec "$root$own"
mkdir "$root/before"
cd "$root"
pivot_root . before
umount -n -l /before
rmdir /before
mount -o remount,ro /
cd "$own"

if [ "$account" != - ]; then
  set -- --reuid "${account%:*}" --regid "${account#*:}" --clear-groups -- "$@"
else
  set -- -- "$@"
fi
code=0
setpriv --no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all "$@" || code=$?
exit "$code"
