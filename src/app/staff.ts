import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { accountMailJob, addStaff, listStaff, removeStaff, sealSecretsAnew } from '../accounts/server/accounts.ts'
import { email as emailShape } from '../kit/shared/input.ts'
import { systemClock } from '../kit/server/clock.ts'
import { openDatabase } from '../kit/server/database.ts'
import { startJobs } from '../kit/server/jobs.ts'
import { openKeyring } from '../kit/server/keyring.ts'
import { isMigrated, migrate } from '../kit/server/migrate.ts'
import { createSecurityLog } from '../kit/server/security-log.ts'
import { page } from '../site-map.ts'
import { databaseAddressForCommand } from './command.ts'
import { ConfigError, readConfig, secretPlaceOf, type Config } from './config.ts'

const usage = `npm run staff -- add EMAIL [--role moderator|admin] [--name NAME] [--language en|de|fr]
npm run staff -- remove EMAIL
npm run staff -- list

"add" makes somebody staff, with their own account or a new one, and prints a link that sets the password (60 minutes,
once); a mail brings the same link. After the first login an authenticator app must be set up. Default role: moderator.
`

/** What the person at the keyboard can put right; shown without a stack. */
class Misuse extends Error {}

if (typeof Temporal === 'undefined') {
  process.stderr.write(`Rheinklang needs Node 26 or later and found ${process.version}. Use "npm run staff".\n`)
  process.exit(1)
}
process.exitCode = await run(process.argv.slice(2))

async function run(args: string[]): Promise<number> {
  try {
    const wish = readWish(args)
    if (!wish) {
      process.stdout.write(usage)
      return 0
    }
    if (existsSync('.env')) process.loadEnvFile('.env')
    const lines = await carryOut(readConfig(process.env, process.cwd()), wish)
    process.stdout.write(`${lines.join('\n')}\n`)
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return error instanceof Misuse || error instanceof ConfigError ? 2 : 1
  }
}

interface Wish {
  what: 'add' | 'remove' | 'list'
  email: string
  role: 'moderator' | 'admin'
  name: string | undefined
  language: 'en' | 'de' | 'fr'
}

/** null: help was asked for. */
function readWish(args: string[]): Wish | null {
  const { values, positionals } = parse(args)
  if (values.help) return null
  const [what = '', email = '', ...rest] = positionals
  if (what !== 'add' && what !== 'remove' && what !== 'list') throw new Misuse(usage)
  if (rest.length > 0 || (what === 'list') !== (email === '')) throw new Misuse(usage)
  if (email && !emailShape().safeParse(email).success) throw new Misuse(`"${email}" is no e-mail address.`)
  const { role = 'moderator', language = 'en', name } = values
  if (role !== 'moderator' && role !== 'admin') throw new Misuse('--role must be moderator or admin.')
  if (language !== 'en' && language !== 'de' && language !== 'fr') throw new Misuse('--language must be en, de or fr.')
  return { what, email, role, language, name }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        role: { type: 'string' },
        name: { type: 'string' },
        language: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new Misuse(`${(error as Error).message}\n\n${usage}`)
  }
}

/** Beside a running server or without one; its mail leaves with the server. */
async function carryOut(config: Config, wish: Wish): Promise<string[]> {
  const undo: (() => Promise<unknown>)[] = []
  try {
    const { db } = openDatabase(await databaseAddressForCommand(config, undo), { maxConnections: 3 })
    undo.push(() => db.destroy())
    if (!(await isMigrated(db).catch(() => false))) await migrate(db)
    if (wish.what === 'list') {
      const staff = await listStaff({ db })
      if (staff.length === 0) return ['No staff yet.']
      return staff.map((each) => `${each.email}  ${each.role}${each.second_factor ? '' : '  (no second factor yet)'}`)
    }
    const keyring = await openKeyring(db, secretPlaceOf(config), (keys) => sealSecretsAnew(db, keys))
    const jobs = await startJobs(db, {}, { zone: config.festival.zone, log: () => {}, queues: [accountMailJob] })
    undo.push(() => jobs.stop())
    const room = { db, clock: systemClock, keyring, jobs, log: createSecurityLog(null) }
    if (wish.what === 'remove') {
      if (!(await removeStaff(room, wish.email))) throw new Misuse(`${wish.email} is no staff.`)
      return [`${wish.email} is a visitor now.`]
    }
    const origin = config.publicUrl ?? `http://localhost:${config.port}`
    const name = [...(wish.name ?? wish.email.split('@')[0]!)].slice(0, 40).join('')
    const { token, isNew } = await addStaff(room, { ...wish, name, origin })
    return [
      `${wish.email} is ${wish.role} now${isNew ? ', with a new account' : '; its old password is gone'}.`,
      `Set the password within 60 minutes: ${origin}${page.resetPassword}?token=${token}`,
    ]
  } finally {
    for (const step of undo.reverse()) await step()
  }
}
