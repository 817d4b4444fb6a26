#!/bin/sh
# Patroni runs this once, on the first primary, with the address of the new server. The backup repository must exist: a standby starts
# with a copy, and a copy is complete only when its WAL is archived.
set -eu
${POSTGRES_BIN}/psql "$1" --no-psqlrc --quiet --set=ON_ERROR_STOP=1 <<'SQL'
set password_encryption = 'scram-sha-256';
create role rheinklang login password '${APP_PASSWORD}';
create database rheinklang owner rheinklang encoding 'UTF8' template template0;
-- settings that the app sends with each connection, and PgBouncer drops
alter role rheinklang set timezone = 'UTC';
alter role rheinklang set plan_cache_mode = 'force_generic_plan';
SQL
pgbackrest --config=${ROOT}/etc/rheinklang/pgbackrest.conf --stanza=festival stanza-create
