import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { onTestFinished } from 'vitest'

export interface Received {
  to: string[]
  raw: string
}

/** How the server answers; a story may change it. Codes are SMTP replies, null: success. */
export interface MailPeerMood {
  login: number | null
  sender: number | null
  /** Answer to the nth try for this recipient. */
  recipient: (to: string, nth: number) => number | null
  /** Answer to the whole mail. */
  content: number | null
  /** Text of a refusal. */
  words: string
  /** The step that is not answered until `letGo()`; `taken`: after the whole mail has arrived. */
  holds: 'recipient' | 'taken' | null
}

/** Starts a mail server with the real protocol, until the end of the test. */
export async function startMailPeer(
  mood: Partial<MailPeerMood> | MailPeerMood['recipient'] = {},
  options: { port?: number; demandsLogin?: boolean } = {},
) {
  const now: MailPeerMood = {
    login: null,
    sender: null,
    recipient: () => null,
    content: null,
    words: 'no',
    holds: null,
    ...(typeof mood === 'function' ? { recipient: mood } : mood),
  }
  const received: Received[] = []
  const tries = new Map<string, number>()
  const held: (() => void)[] = []
  let logins = 0
  const answer = (code: number | null, done: (error?: Error | null) => void) =>
    code ? done(Object.assign(new Error(now.words), { responseCode: code })) : done()
  const unlessHeld = (step: MailPeerMood['holds'], done: () => void) =>
    now.holds === step ? void held.push(done) : done()
  const server = new SMTPServer({
    authOptional: !options.demandsLogin,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth(_auth, _session, done) {
      logins++
      if (now.login) return done(Object.assign(new Error(now.words), { responseCode: now.login }))
      return done(null, { user: 'festival' })
    },
    onMailFrom: (_address, _session, done) => answer(now.sender, done),
    onRcptTo(address, _session, done) {
      const nth = (tries.get(address.address) ?? 0) + 1
      tries.set(address.address, nth)
      unlessHeld('recipient', () => answer(now.recipient(address.address, nth), done))
    },
    onData(stream, session: SMTPServerSession, done) {
      let raw = ''
      stream.on('data', (chunk: Buffer) => (raw += chunk.toString('latin1')))
      stream.on('end', () => {
        if (!now.content) received.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw })
        unlessHeld('taken', () => answer(now.content, done))
      })
    },
  })
  // clients may disconnect at any step
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as { port: number }
  return {
    url: options.demandsLogin ? `smtp://festival:secret@127.0.0.1:${port}` : `smtp://127.0.0.1:${port}`,
    port,
    now,
    received,
    tries,
    logins: () => logins,
    /** Number of steps that wait for `letGo`. */
    held: () => held.length,
    letGo() {
      now.holds = null
      for (const done of held.splice(0)) done()
    },
  }
}

/** Settings to send mail by this server. */
export const withMail = (url: string) => ({ SMTP_URL: url, MAIL_FROM: 'Rheinklang <hello@rheinklang.example>' })
