#!/bin/sh
# Runs a program that reads untrusted files: it sees a file system of its own, read-only but for one folder,
# and no network, other process or capability. Expects new mount, process and network namespaces, as `unshare` makes
# them, in which it is process 1 and may mount.
# usage: sandbox.sh ROOT OWN ACCOUNT HIDDEN SHOWN... -- PROGRAM ARGUMENT...
#   ROOT     empty folder at which the new file system is made
#   OWN      the only writable folder, at the same path in both file systems
#   ACCOUNT  uid:gid to run as, or - for the present one
#   HIDDEN   folder that is shown empty although it lies below a shown one
#   SHOWN    folder or file at the same path in both, read-only; left out where it does not exist
set -euf
# Lists have an entry a line.
IFS='
'
root=$1 own=$2 account=$3 hidden=$4
shift 4

mount -t tmpfs -o size=4m,mode=755 tmpfs "$root"

# Each command is a process, which costs more than what it does: one for all entries of a list.
copied='' read_only='' folders='' files='' mounts=''
# A line of an fstab, where a space is \040.
add_mount() {
  line=''
  for field; do
    while [ "$field" != "${field%% *}" ]; do field="${field%% *}\\040${field#* }"; done
    line="$line$field "
  done
  mounts="$mounts$line$IFS"
}
show() {
  if [ -d "$1" ]; then
    folders="$folders$root$1$IFS"
  else
    folders="$folders$root${1%/*}$IFS" files="$files$root$1$IFS"
  fi
  add_mount "$1" "$root$1" none rbind
}
while [ "$1" != -- ]; do
  if [ -L "$1" ]; then
    copied="$copied$1$IFS"
  elif [ -e "$1" ]; then
    case $1 in
      /etc/*) copied="$copied$1$IFS" ;;
      *) show "$1" && read_only="$read_only$root$1$IFS" ;;
    esac
  fi
  shift
done
shift
for device in null zero random urandom; do show "/dev/$device"; done
folders="$folders$root/proc$IFS$root/etc$IFS$root/before$IFS"
add_mount proc "$root/proc" proc nosuid,nodev,noexec
mkdir -p $folders
for file in $files; do : > "$file"; done
cp -RP --parents $copied "$root"
printf '%s' "$mounts" > "$root/etc/fstab"
mount -a -T "$root/etc/fstab"
for path in $read_only; do mount -o remount,bind,ro "$path"; done
# Where these namespaces belong to the account itself, it gets no further ones.
if [ "$account" = - ]; then echo 0 > "$root/proc/sys/user/max_user_namespaces"; fi
if [ -d "$root$hidden" ]; then mount -t tmpfs -o size=64k,mode=755 tmpfs "$root$hidden"; fi
mkdir -p "$root$own"
mount --rbind "$own" "$root$own"
mount -o remount,bind,nosuid,nodev,noexec "$root$own"
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
