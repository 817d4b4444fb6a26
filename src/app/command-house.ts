import { join } from 'node:path'
import { systemClock } from '../kit/server/clock.ts'
import type { Complain } from '../kit/server/complaints.ts'
import { createLimiter } from '../kit/server/limiter.ts'
import { createMailer } from '../kit/server/mailer.ts'
import { isMigrated, migrate } from '../kit/server/migrate.ts'
import { openOutside } from '../kit/server/outside.ts'
import { openRooms, type House } from '../kit/server/room.ts'
import { createSecurityLog } from '../kit/server/security-log.ts'
import { createFileStore } from '../kit/server/uploads.ts'
import { queues, type withDatabase } from './command.ts'
import { deletionsOf, type Config } from './config.ts'
import { installationKeys } from './installation-keys.ts'
import { rooms } from './rooms.ts'
import { texts } from './server/texts.ts'
import { settingsOf, siteOf } from './start.ts'

/**
 * Opens all rooms for a command, beside a running server or without one. Jobs that they enqueue are left to the server.
 * @param complain gets what the operator should know
 */
export async function houseOfCommand(
  config: Config,
  { db, pool }: Parameters<Parameters<typeof withDatabase>[1]>[0],
  undo: (() => Promise<unknown>)[],
  complain: Complain = () => {},
): Promise<House> {
  if (!(await isMigrated(db).catch(() => false))) await migrate(db)
  const jobs = await queues(db, config, undo)
  const { house } = await openRooms(rooms, {
    site: siteOf(config),
    db,
    clock: systemClock,
    jobs,
    keyring: await installationKeys(db, config),
    files: createFileStore({ folder: join(config.dataDir, 'uploads'), s3: config.s3 }),
    outside: openOutside(),
    deletions: deletionsOf(config),
    mailer: createMailer({ smtpUrl: null, from: config.mailFrom, folder: join(config.dataDir, 'mail'), complain }),
    texts,
    log: createSecurityLog(null),
    complain,
    ownConnection: () => {
      throw new Error('A command listens to nothing.')
    },
    limiter: (options) => createLimiter(pool, options),
    settings: settingsOf(config),
  })
  return house
}
