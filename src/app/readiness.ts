import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { listStaff } from '../accounts/server/accounts.ts'
import { festivalDays } from '../events/server/programme.ts'
import type { Clock } from '../kit/server/clock.ts'
import type { Database } from '../kit/server/database.ts'
import type { Config } from './config.ts'

/** File in `DATA_DIR` that the operator's backup touches at its end. */
const backupNote = 'last-backup'
/** Two, so that a nightly backup may fail once. */
const backupDays = 2

/** What is missing for a public site, each in a sentence that says what to do. */
export async function whatIsNotReady(config: Config, db: Database, clock: Clock): Promise<string[]> {
  const { publicUrl, smtpUrl, trustProxy, festival } = config
  const faults: string[] = []
  if (smtpUrl === null)
    faults.push('No mail leaves: nobody can confirm an address or set a new password. Set SMTP_URL and MAIL_FROM.')
  if (publicUrl?.startsWith('https:') && trustProxy === 0)
    faults.push(
      'TRUST_PROXY is off, and https needs a proxy: all visitors have its address and share its limits. Set TRUST_PROXY=on.',
    )
  if ((await listStaff({ db })).length === 0) faults.push('There is no staff. Add somebody: npm run staff -- add EMAIL')
  if (!festival.days && !(await festivalDays({ db, clock, zone: festival.zone })))
    faults.push('The festival has no days. Import the programme, or set FESTIVAL_START and FESTIVAL_END.')
  const backupFault = await faultOfBackup(config, db, clock)
  if (backupFault) faults.push(backupFault)
  return faults
}

async function faultOfBackup({ dataDir }: Config, db: Database, clock: Clock): Promise<string | null> {
  const note = join(dataDir, backupNote)
  const newest = Math.max(await timeOf(note), await archivedAt(db))
  const howTo = `See "Backup" in docs/operations.md, and end each backup with: touch ${note}`
  if (newest === 0) return `No backup is noted. ${howTo}`
  const days = Math.floor((clock.now().epochMilliseconds - newest) / 86_400_000)
  return days < backupDays ? null : `The last noted backup is ${days} days old. ${howTo}`
}

/** When the file was changed, ms since 1970; 0: it does not exist. */
async function timeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}

/** When the database last archived its WAL, ms since 1970; 0: never, as without a cluster. */
async function archivedAt(db: Database): Promise<number> {
  const { rows } = await sql<{ at: number | null }>`
    select extract(epoch from last_archived_time)::float8 * 1000 as at from pg_stat_archiver
    where current_setting('archive_mode') <> 'off'`.execute(db)
  return rows[0]?.at ?? 0
}
