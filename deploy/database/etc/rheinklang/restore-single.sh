#!/bin/sh
# restore-single.sh MOMENT: restores the database of a moment, such as '2026-06-20 17:59:00+00', into a new folder, for a single
# server (rheinklang-restored.service), which makes no backups. The current database stays as it is. Run as ${DATABASE_USER}.
set -eu
moment=$1
folder=${ROOT}/var/lib/rheinklang-postgres/restored
if [ -e "$folder" ]; then
  echo "$folder is there, from a restore before: stop rheinklang-restored and move that folder away first." >&2
  exit 1
fi
mkdir -m 700 "$folder"
pgbackrest --config=${ROOT}/etc/rheinklang/pgbackrest.conf --stanza=festival --pg1-path="$folder" \
  --type=time --target="$moment" --target-action=promote --archive-mode=off restore
# removes the settings of the cluster: with them the first commit would wait for a standby for ever
rm -f "$folder"/patroni.dynamic.json "$folder"/standby.signal
cat >> "$folder"/postgresql.auto.conf <<'CONF'
synchronous_standby_names = ''
primary_conninfo = ''
primary_slot_name = ''
archive_mode = 'off'
listen_addresses = '${ADDRESS}'
port = 5432
unix_socket_directories = '${ROOT}/run/rheinklang-postgres'
hba_file = '${ROOT}/var/lib/rheinklang-postgres/restored/pg_hba.conf'
ident_file = '${ROOT}/var/lib/rheinklang-postgres/restored/pg_ident.conf'
CONF
