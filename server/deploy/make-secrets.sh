#!/bin/sh
# Makes the secrets of compose.yaml, one file each in server/deploy/secrets; those that exist are left as they are.
# The folder is closed to other accounts; its files are not, as the accounts of the containers read them one by one.
# Empty ones are settings that are not used: write into them what you have.
set -eu
cd "$(dirname "$0")"
mkdir -p -m 700 secrets
cd secrets
umask 222

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
make() { [ -e "$1" ] || printf '%s\n' "$2" > "$1"; }

for name in POSTGRES_PASSWORD DB_OWNER_PASSWORD DB_APP_PASSWORD SIGNING_KEY DOSSIER_KEY FIRST_SUPERUSER_PASSWORD; do
  make "$name" "$(random)"
done
make MIGRATION_DATABASE_URL "postgres://garantia:$(cat DB_OWNER_PASSWORD)@db/garantia"
make DATABASE_URL "postgres://garantia_app:$(cat DB_APP_PASSWORD)@db/garantia"
for name in SMTP_URL OIDC_CLIENT_SECRET TSA_TOKEN BACKUP_PASSPHRASE S3_ACCESS_KEY_ID S3_SECRET_ACCESS_KEY; do
  make "$name" ''
done
