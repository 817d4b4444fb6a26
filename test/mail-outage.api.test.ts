import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { describe, expect, it, vi } from 'vitest'
import { deleteExpired } from '../src/accounts/server/accounts.ts'
import { giveUpMails } from '../src/mail/server/mail.ts'
import { deleteOldMessages } from '../src/contact/server/contact.ts'
import { startMailPeer, withMail, type MailPeerMood } from './peers/smtp.ts'
import { get, post, tokenIn, visitorForm } from './people.ts'
import { nightlyServices } from './rooms.ts'
import { anotherInstance, appForTest, saturdayEvening, type TestApp } from './start-app.ts'
import { freePort } from './free-port.ts'

// these tests start whole servers, or wait for retries of mails
vi.setConfig({ testTimeout: 240_000 })

const writeToUs = async (app: { url: string }) => {
  const body = { name: 'Lena', email: 'lena@example.org', message: 'Where is the lost and found?' }
  const { status, body: answer } = await post(app, '/api/contact', body)
  expect(status).toBe(201)
  return answer.ticket as string
}
const signUp = async (app: { url: string }, email: string) =>
  expect((await post(app, '/api/auth/signup', visitorForm(email))).status).toBe(201)

const waiting = async (app: TestApp) => ({
  mails: (await app.db.selectFrom('outgoing_mails').select('kind').execute()).map(({ kind }) => kind),
  tickets: (await app.db.selectFrom('contact_messages').select('ticket').where('mailed_at', 'is', null).execute()).map(
    ({ ticket }) => ticket,
  ),
})
const nothing = { mails: [], tickets: [] }
const daysToConfirm = async (app: TestApp) =>
  (await app.db.selectFrom('accounts').select('confirm_by').where('role', '=', 'user').execute()).map(
    ({ confirm_by }) => confirm_by,
  )

/** Ends the pauses before retries. */
const hurry = (app: TestApp) => sql`update jobs.job set start_after = now() where state = 'retry'`.execute(app.db)

interface MailJob {
  name: string
  state: string
  retry_count: number
}
async function mailJobs(app: TestApp): Promise<MailJob[]> {
  const { rows } = await sql<MailJob>`
    select name, state::text as state, retry_count from jobs.job where name in ('account-mail', 'contact-mail')
      and state::text <> 'completed' order by name`.execute(app.db)
  return rows
}

const patience = { timeout: 90_000, interval: 100 }
/** Complaints about mails; jobs on a slow machine may also complain about the database. */
const complaints = (lines: string[]) =>
  lines
    .map((line) => JSON.parse(line) as { level: number; msg: string })
    .filter(({ level, msg }) => level === 50 && !msg.includes('wait for the database'))

describe('a mail server that cannot be reached', () => {
  it('gets every mail when it is back, after any number of retries, whose pauses grow to 15 minutes', async () => {
    const port = await freePort()
    const lines: string[] = []
    const app = await appForTest({ jobs: 'queue', env: withMail(`smtp://127.0.0.1:${port}`), log: lines })
    await signUp(app, 'later@example.org')
    const ticket = await writeToUs(app)
    await expect.poll(() => mailJobs(app), patience).toMatchObject([{ state: 'retry' }, { state: 'retry' }])
    // like after days of retries
    await sql`update jobs.job set retry_count = 200, start_after = now() where state = 'retry'`.execute(app.db)
    await expect
      .poll(() => mailJobs(app), patience)
      .toMatchObject([
        { state: 'retry', retry_count: 201 },
        { state: 'retry', retry_count: 201 },
      ])
    const { rows } = await sql<{ pause: number }>`
      select extract(epoch from start_after - now())::int as pause from jobs.job where state = 'retry'`.execute(app.db)
    for (const { pause } of rows) expect(pause).toSatisfy((s: number) => s > 800 && s <= 900)
    expect(await waiting(app)).toEqual({ mails: ['verify'], tickets: [ticket] })
    // one complaint for the operator, not one per mail
    expect(complaints(lines).map(({ msg }) => msg)).toEqual([
      `Mails wait: the mail server 127.0.0.1:${port} cannot be reached (ECONNREFUSED).`,
    ])

    // the first mail that is sent triggers the others, although their retries are not due yet
    const peer = await startMailPeer({}, { port })
    await signUp(app, 'first@example.org')
    await expect.poll(() => waiting(app), patience).toEqual(nothing)
    expect(peer.received.flatMap(({ to }) => to).sort()).toEqual([
      'first@example.org',
      'hello@rheinklang.example',
      'later@example.org',
    ])
  })

  it('also gets mails that have lost their job, once, however many instances start', async () => {
    const peer = await startMailPeer()
    const app = await appForTest({ jobs: 'queue', env: withMail(`smtp://127.0.0.1:${await freePort()}`) })
    await signUp(app, 'left@example.org')
    await writeToUs(app)
    await expect.poll(async () => (await waiting(app)).mails, patience).toEqual(['verify'])
    await expect.poll(() => mailJobs(app), patience).toMatchObject([{ state: 'retry' }, { state: 'retry' }])
    await sql`update jobs.job set state = 'failed', completed_on = now() where state = 'retry'`.execute(app.db)
    await app.stop()
    await Promise.all([1, 2, 3].map(() => anotherInstance(app, withMail(peer.url))))
    const two = await anotherInstance(app, withMail(peer.url))
    await expect.poll(() => waiting({ ...app, db: two.db }), patience).toEqual(nothing)
    expect(peer.received).toHaveLength(2)
  })

  it('is retried for seven days with mails of accounts; then they are given up with a complaint, and until then their links stay valid', async () => {
    const lines: string[] = []
    const app = await appForTest({ jobs: 'queue', env: withMail(`smtp://127.0.0.1:${await freePort()}`) })
    await signUp(app, 'patient@example.org')
    await expect.poll(async () => (await waiting(app)).mails, patience).toEqual(['verify'])
    const at = (days: number) => {
      const now = Temporal.Instant.from(saturdayEvening).add({ hours: days * 24 + 1 })
      const complain = (message: string, details: object = {}) =>
        void lines.push(JSON.stringify({ message, ...details }))
      return { ...nightlyServices(app, now.toString()), complain }
    }
    const { mail_id } = await app.db.selectFrom('outgoing_mails').select('mail_id').executeTakeFirstOrThrow()
    const night = async (days: number) => {
      await giveUpMails(at(days))
      await deleteExpired(at(days))
    }
    await night(2)
    expect((await waiting(app)).mails).toEqual(['verify'])
    expect(lines).toEqual([])
    await night(7)
    expect((await waiting(app)).mails).toEqual([])
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({ mail_id, mail: 'verify' })
    expect(lines[0]).not.toContain('patient@example.org')
  })

  it('may be down for longer than a link is valid, as its time begins when the mail is sent', async () => {
    const port = await freePort()
    const app = await appForTest({ jobs: 'queue', env: withMail(`smtp://127.0.0.1:${port}`) })
    await signUp(app, 'slow@example.org')
    await expect.poll(() => mailJobs(app), patience).toMatchObject([{ state: 'retry' }])
    app.setNow('2026-06-23T20:00:00Z')
    await deleteExpired(nightlyServices(app, '2026-06-23T20:00:00Z'))
    const peer = await startMailPeer({}, { port })
    await hurry(app)
    await expect.poll(() => peer.received.length, patience).toBe(1)
    const mail = await PostalMime.parse(Buffer.from(peer.received[0]!.raw, 'latin1'))
    app.setNow('2026-06-24T19:59:00Z')
    expect((await post(app, '/api/auth/verify', { token: tokenIn({ text: mail.text! }) })).status).toBe(200)
  })

  it('gets messages to the organisers late, or the operator is told that one was given up', async () => {
    const lines: object[] = []
    const app = await appForTest({ jobs: 'queue', env: withMail(`smtp://127.0.0.1:${await freePort()}`) })
    const ticket = await writeToUs(app)
    const complain = (message: string, details: object = {}) => void lines.push({ message, ...details })
    const clock = { now: () => Temporal.Instant.from('2027-06-20T18:00:00Z') }
    await deleteOldMessages({ db: app.db, clock, complain })
    expect(lines).toEqual([expect.objectContaining({ ticket })])
  })
})

describe('a mail server that refuses', () => {
  it('the login (535) loses nothing: mails wait, the operator is told once, and they are sent when it is corrected', async () => {
    const peer = await startMailPeer({ login: 535 }, { demandsLogin: true })
    const lines: string[] = []
    const app = await appForTest({ jobs: 'queue', env: withMail(peer.url), log: lines })
    await signUp(app, 'one@example.org')
    await signUp(app, 'two@example.org')
    const ticket = await writeToUs(app)
    await expect.poll(() => mailJobs(app), patience).toHaveLength(3)
    await expect.poll(async () => (await mailJobs(app)).every(({ state }) => state === 'retry'), patience).toBe(true)
    expect(peer.logins()).toBeGreaterThanOrEqual(3)
    expect(await waiting(app)).toEqual({ mails: ['verify', 'verify'], tickets: [ticket] })
    expect(complaints(lines).map(({ msg }) => msg)).toEqual([
      `Mails wait: the mail server 127.0.0.1:${peer.port} refuses the login (535). Look at user and password in SMTP_URL.`,
    ])
    expect(lines.join('\n')).not.toMatch(/mail_refused|secret@|festival:/)
    peer.now.login = null
    await hurry(app)
    await expect.poll(() => waiting(app), patience).toEqual(nothing)
    expect(peer.received).toHaveLength(3)
  })
  it.each<[string, Partial<MailPeerMood>, string]>([
    ['the sender (553)', { sender: 553 }, 'refuses the sender (553). Look at MAIL_FROM.'],
    ['to pass mail on', { recipient: () => 554, words: 'Relay access denied' }, 'takes no mail from us (554).'],
    ['us, and says so late', { recipient: () => 554, words: 'Client host rejected' }, 'takes no mail from us (554).'],
    ['those who have not logged in', { recipient: () => 530 }, 'refuses the login (530).'],
    [
      'the sender once it has the mail',
      { content: 554, words: 'Message rejected: Email address is not verified.' },
      'takes no mail from us (554). Look at SMTP_URL and MAIL_FROM.',
    ],
  ])('%s loses nothing', async (_, mood, problem) => {
    const peer = await startMailPeer(mood)
    const lines: string[] = []
    const app = await appForTest({ jobs: 'queue', env: withMail(peer.url), log: lines })
    await signUp(app, 'one@example.org')
    await expect.poll(() => mailJobs(app), patience).toMatchObject([{ name: 'account-mail', state: 'retry' }])
    expect((await waiting(app)).mails).toEqual(['verify'])
    expect(complaints(lines)).toHaveLength(1)
    expect(complaints(lines)[0]!.msg).toContain(problem)
    expect(await daysToConfirm(app)).toEqual([null])
  })
  it('a secure connection loses nothing either', async () => {
    const peer = await startMailPeer()
    const lines: string[] = []
    const app = await appForTest({ jobs: 'queue', env: withMail(`smtps://127.0.0.1:${peer.port}`), log: lines })
    await signUp(app, 'one@example.org')
    await expect.poll(() => mailJobs(app), patience).toMatchObject([{ state: 'retry' }])
    expect((await waiting(app)).mails).toEqual(['verify'])
    expect(complaints(lines)[0]!.msg).toMatch(
      /^Mails wait: the mail server 127\.0\.0\.1:\d+ cannot be spoken to securely /,
    )
  })
  it('the content of a mail (554) loses only that mail, and never a message to the organisers', async () => {
    const peer = await startMailPeer({ content: 554 })
    const lines: string[] = []
    const app = await appForTest({ jobs: 'queue', env: withMail(peer.url), log: lines })
    await signUp(app, 'one@example.org')
    const ticket = await writeToUs(app)
    await expect.poll(async () => (await waiting(app)).mails, patience).toEqual([])
    await expect.poll(() => mailJobs(app), patience).toMatchObject([{ name: 'contact-mail', state: 'retry' }])
    const refused = lines.map((line) => JSON.parse(line)).filter(({ security }) => security === 'mail_refused')
    expect(refused).toEqual([expect.objectContaining({ mail: 'verify', code: 554, mail_id: expect.any(String) })])
    // with a complaint, as the server may mean the sender in unknown words
    expect(complaints(lines)).toHaveLength(2)
    expect(complaints(lines)).toContainEqual(expect.objectContaining({ ticket }))
    expect(complaints(lines)).toContainEqual(expect.objectContaining({ mail: 'verify', code: 554 }))
    // the account is not deleted because its mail never came
    expect(await daysToConfirm(app)).toEqual([null])
    peer.now.content = null
    await hurry(app)
    await expect.poll(() => waiting(app), patience).toEqual(nothing)
    expect(peer.received.map(({ to }) => to)).toEqual([['hello@rheinklang.example']])
  })
})

describe('a stop while the mail server is slow', () => {
  const idOf = async (raw: string) => (await PostalMime.parse(Buffer.from(raw, 'latin1'))).messageId

  it('cuts off a mail that is not transferred yet; the next start sends it, once', async () => {
    const peer = await startMailPeer({ holds: 'recipient' })
    const app = await appForTest({ jobs: 'queue', env: withMail(peer.url) })
    await signUp(app, 'cut@example.org')
    await writeToUs(app)
    await expect.poll(() => peer.held(), patience).toBe(2)
    await app.stop()
    peer.letGo()
    const next = await anotherInstance(app, withMail(peer.url))
    const now = { ...app, db: next.db }
    await expect.poll(() => waiting(now), patience).toEqual(nothing)
    expect(peer.received).toHaveLength(2)
  })
  it('waits for the answer to a mail that is transferred, so that it is not sent again', async () => {
    const peer = await startMailPeer({ holds: 'taken' })
    const app = await appForTest({ jobs: 'queue', env: withMail(peer.url) })
    await writeToUs(app)
    await expect.poll(() => peer.held(), patience).toBe(1)
    const stopped = app.stop()
    await expect(
      fetch(`${app.url}/healthz`).then(
        () => 'open',
        () => 'closed',
      ),
    ).resolves.toBeDefined()
    await expect
      .poll(
        () =>
          get(app, '/healthz').then(
            () => 'open',
            () => 'closed',
          ),
        patience,
      )
      .toBe('closed')
    peer.letGo()
    await stopped
    const next = await anotherInstance(app, withMail(peer.url))
    expect(await waiting({ ...app, db: next.db })).toEqual(nothing)
    expect(peer.received).toHaveLength(1)
  })
  it('that never answers lets the next start send the mail again with the same Message-ID', async () => {
    const peer = await startMailPeer({ holds: 'taken' })
    const app = await appForTest({ jobs: 'queue', env: withMail(peer.url) })
    await writeToUs(app)
    await expect.poll(() => peer.held(), patience).toBe(1)
    await app.stop()
    peer.letGo()
    const next = await anotherInstance(app, withMail(peer.url))
    const now = { ...app, db: next.db }
    await expect.poll(() => waiting(now), patience).toEqual(nothing)
    const ids = await Promise.all(peer.received.map(({ raw }) => idOf(raw)))
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  })
})
