#!/bin/sh
# Run by the image of PostgreSQL when it makes the database: the owner, who migrates, and the role in use, which owns
# nothing. Neither is a superuser. The second may make databases: a backup is restored into one every month, for trial.
set -eu
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\set owner `cat /run/secrets/DB_OWNER_PASSWORD`
\set app `cat /run/secrets/DB_APP_PASSWORD`
create role garantia login password :'owner';
create role garantia_app login createdb password :'app';
create database garantia owner garantia template template0 encoding 'UTF8'
  locale_provider icu icu_locale 'pt-BR' locale 'C';
SQL
