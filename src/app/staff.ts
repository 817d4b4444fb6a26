import { mailJob } from '../mail/server/mail.ts'
import {
  addStaff,
  linkToNewPassword,
  listStaff,
  removeStaff,
  resetSecondFactor,
  type NotOpened,
} from '../accounts/server/accounts.ts'
import { displayNameLength } from '../accounts/contract.ts'
import { email as emailShape } from '../kit/shared/input.ts'
import { systemClock } from '../kit/server/clock.ts'
import { isMigrated, migrate } from '../kit/server/migrate.ts'
import { createSecurityLog } from '../kit/server/security-log.ts'
import { newId } from '../kit/server/ids.ts'
import { command, record } from '../staff/server/staff.ts'
import { page } from '../site-map.ts'
import { Misuse, queues, runCommand, withDatabase } from './command.ts'
import type { Config } from './config.ts'
import { installationKeys } from './installation-keys.ts'

const usage = `npm run staff -- add EMAIL [--role moderator|admin] [--name NAME] [--language en|de|fr]
npm run staff -- remove EMAIL
npm run staff -- list
npm run staff -- reset-factor EMAIL [--kind visitor|business]
npm run staff -- reset-password EMAIL [--kind visitor|business]

"add" makes somebody staff, with their own account or a new one, and prints a link that sets the password (60 minutes,
once); a mail brings the same link. After the first login an authenticator app must be set up. Default role: moderator.
"remove" makes a visitor of somebody, without a second factor.

"reset-factor" ends a second factor that its owner has lost, of anybody: staff, visitor or merchant. "reset-password" prints
a link that sets a new password, for an owner who gets no mail. Make sure first that it is the owner who asks: both are
logged, and the owner gets a mail. --kind says which one where an address has two accounts; staff are visitors.
`

const tasks = ['add', 'remove', 'list', 'reset-factor', 'reset-password'] as const

const sentences: Record<NotOpened, (email: string) => string> = {
  no_account: (email) => `${email} has no account.`,
  two_accounts: (email) => `${email} has two accounts. Say which: --kind visitor or --kind business.`,
  no_second_factor: (email) => `${email} has no second factor.`,
}

await runCommand({
  name: 'staff',
  usage,
  options: {
    role: { type: 'string' },
    name: { type: 'string' },
    language: { type: 'string' },
    kind: { type: 'string' },
  },
  readTask,
  carryOut: async (config, task) => ({ exitCode: 0, lines: await carryOut(config, task) }),
})

interface StaffTask {
  what: (typeof tasks)[number]
  email: string
  role: 'moderator' | 'admin'
  name: string | undefined
  language: 'en' | 'de' | 'fr'
  kind: 'user' | 'business' | null
}

interface Given {
  values: { role?: string; name?: string; language?: string; kind?: string }
  positionals: string[]
}

function readTask({ values, positionals }: Given): StaffTask {
  const [task = '', email = '', ...rest] = positionals
  const what = tasks.find((each) => each === task)
  if (!what) throw new Misuse(`${task ? `"${task}" is no command` : 'Say what to do'}.\n\n${usage}`)
  if (what === 'list' && (email !== '' || Object.keys(values).length > 0))
    throw new Misuse(`"list" takes nothing more.\n\n${usage}`)
  if (what !== 'list' && (email === '' || rest.length > 0)) throw new Misuse(`Name one address.\n\n${usage}`)
  const address = emailShape().safeParse(email)
  if (what === 'add' && !address.success)
    throw new Misuse(`"${email}" is no e-mail address, or one that can be mistaken for another.`)
  const { role = 'moderator', language = 'en', name, kind } = values
  if (role !== 'moderator' && role !== 'admin') throw new Misuse('--role must be moderator or admin.')
  if (language !== 'en' && language !== 'de' && language !== 'fr') throw new Misuse('--language must be en, de or fr.')
  if (kind !== undefined && kind !== 'visitor' && kind !== 'business')
    throw new Misuse('--kind must be visitor or business.')
  if (kind !== undefined && !what.startsWith('reset-')) throw new Misuse(`"${what}" takes no --kind.\n\n${usage}`)
  // the address as typed, if it is invalid: old accounts may have one that is refused today
  const wanted = kind === 'visitor' ? 'user' : (kind ?? null)
  return { what, email: address.data ?? email, role, language, name, kind: wanted }
}

/** Works beside a running server or without one. Mails are sent by the server. */
function carryOut(config: Config, task: StaffTask): Promise<string[]> {
  return withDatabase(config, async ({ db }, undo, origin) => {
    if (!(await isMigrated(db).catch(() => false))) await migrate(db)
    if (task.what === 'list') {
      const staff = await listStaff({ db })
      if (staff.length === 0) return ['No staff yet.']
      return staff.map((each) => `${each.email}  ${each.role}${each.second_factor ? '' : '  (no second factor yet)'}`)
    }
    const keyring = await installationKeys(db, config)
    const jobs = await queues(db, config, undo, [mailJob])
    const clock = systemClock
    const services: Parameters<typeof addStaff>[0] = {
      db,
      clock,
      keyring,
      jobs,
      log: createSecurityLog(null),
      // one audit entry, as for every action of staff
      noted: (trx, { action, accountId, name, role }) =>
        record(trx, { clock }, command, newId(), {
          action,
          object: { kind: 'account', id: accountId, name },
          after: action === 'add-staff' || action === 'remove-staff' ? { what: role } : null,
        }),
    }
    if (task.what === 'remove') {
      if (!(await removeStaff(services, task.email, origin))) throw new Misuse(`${task.email} is no staff.`)
      return [`${task.email} is a visitor now, without a second factor.`]
    }
    if (task.what === 'reset-factor') {
      const refused = await resetSecondFactor(services, { ...task, origin })
      if (refused) throw new Misuse(sentences[refused](task.email))
      return [`${task.email} logs in with the password alone now. All its sessions ended, and a mail says so.`]
    }
    if (task.what === 'reset-password') {
      const made = await linkToNewPassword(services, { ...task, origin })
      if (typeof made === 'string') throw new Misuse(sentences[made](task.email))
      return [`Set the password within 60 minutes: ${origin}${page.resetPassword}?token=${made.token}`]
    }
    const name = [...(task.name ?? task.email.split('@')[0]!)].slice(0, displayNameLength.user).join('')
    const { token, isNew } = await addStaff(services, { ...task, name, origin })
    return [
      `${task.email} is ${task.role} now${isNew ? ', with a new account' : '; its old password is gone'}.`,
      `Set the password within 60 minutes: ${origin}${page.resetPassword}?token=${token}`,
    ]
  })
}
