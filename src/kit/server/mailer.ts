import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onceInAWhile, type Complain } from './complaints.ts'
import { writeWhole } from './data-folder.ts'
import { MailNotSent, mailFaultOf, MailRefused } from './mail-faults.ts'
import { readSmtpAddress } from './smtp-address.ts'

export interface Mail {
  to: string
  /** In parts: a text would be read as a list of addresses where the name holds a comma. */
  replyTo?: { name: string; address: string }
  subject: string
  text: string
  /** The same as HTML. */
  html?: string
  /** Where one click ends a list of mails (RFC 8058). */
  unsubscribeUrl?: string
  /** Stays the same when a mail is tried again, so that a mailbox can tell a double. */
  messageId: string
}

export interface Mailer {
  /** @throws MailRefused, MailNotSent: nothing else */
  send(mail: Mail): Promise<void>
  /**
   * Takes no more mails. One that is being handed over has `graceMs` to get its answer; then it is cut off and fails with
   * MailNotSent, so that whoever sent it tries again another time.
   */
  close(graceMs: number): Promise<void>
}

/** A start does without it: the first mail brings it. */
const nodemailer = () => import('nodemailer')

/** For each answer of the mail server. */
const timeoutMs = 10_000
/** For a whole mail: a server that answers each step late must not hold one for ever. */
const mailMs = 60_000

export interface MailerOptions {
  smtpUrl: string | null
  from: string
  folder: string
  /** Hears of what keeps every mail from leaving. */
  complain: Complain
  /** The first mail has left after some that could not: the others need not wait for the end of their pauses. */
  onWayFree?: () => void
}

/** Sends by SMTP; without `smtpUrl` each mail becomes a file `<folder>/<id>.eml`, to be shown by `listStoredMails`. */
export function createMailer(options: MailerOptions): Mailer {
  const sayOnce = onceInAWhile(options.complain)
  let isBarred = false
  const complain: Complain = (message, details) => {
    isBarred = true
    sayOnce(message, details)
  }
  const underWay = new Set<Promise<void>>()
  const cutOff = new AbortController()
  let closed = false
  const handOver = options.smtpUrl ? bySmtp(options.smtpUrl, options.from, complain) : asFile(options, complain)
  return {
    async send(mail) {
      if (closed) throw new MailNotSent('The mail was not sent: the server stops')
      const sending = handOver(mail, cutOff.signal)
      underWay.add(sending)
      try {
        await sending
        if (isBarred) options.onWayFree?.()
        isBarred = false
      } finally {
        underWay.delete(sending)
      }
    },
    async close(graceMs) {
      closed = true
      const timer = setTimeout(() => cutOff.abort(), graceMs)
      await Promise.allSettled(underWay)
      clearTimeout(timer)
    },
  }
}

type HandOver = (mail: Mail, cutOff: AbortSignal) => Promise<void>

/** In parts: read as a list of addresses, a colon in the name would make it a group, and brackets or a comma another name. */
function mailbox(text: string) {
  const [, before, address] = /^([^<>]*)<([^<>]+)>$/.exec(text.trim()) ?? []
  if (before === undefined || address === undefined) return text
  const quoted = /^"(.*)"$/s.exec(before.trim())?.[1]
  return { name: quoted?.replaceAll(/\\(.)/g, '$1') ?? before.trim(), address }
}

function composed(from: string, { unsubscribeUrl, ...mail }: Mail) {
  return {
    from: mailbox(from),
    ...mail,
    to: mailbox(mail.to),
    subject: mail.subject.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' '),
    ...(unsubscribeUrl
      ? {
          headers: {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
        }
      : {}),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function bySmtp(smtpUrl: string, from: string, complain: Complain): HandOver {
  const address = readSmtpAddress(smtpUrl)
  if (!address) throw new Error('SMTP_URL cannot be read')
  const open = async () =>
    (await nodemailer()).createTransport({
      ...address,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // one that was cut off must not keep the process
      socketCloseTimeout: 500,
    })
  let opened: ReturnType<typeof open> | null = null
  const server = `the mail server ${address.host}:${address.port}`
  return async (mail, cutOff) => {
    try {
      await (
        await (opened ??= open())
      ).sendMail({
        ...composed(from, mail),
        signal: AbortSignal.any([cutOff, AbortSignal.timeout(mailMs)]),
      })
    } catch (error) {
      if (cutOff.aborted) throw new MailNotSent('The mail was not sent: the server stops')
      const fault = mailFaultOf(error)
      if ('refusal' in fault) throw new MailRefused(fault.refusal, fault.of)
      if ('trouble' in fault) complain(`Mails wait: ${server} ${fault.trouble}`)
      throw new MailNotSent(`The mail was not sent: ${'later' in fault ? fault.later : `${server} ${fault.trouble}`}`)
    }
  }
}

/** Connects and logs in without sending; says what is wrong after the words "The mail server", null: nothing. */
export async function troubleWithMail(smtpUrl: string): Promise<string | null> {
  const address = readSmtpAddress(smtpUrl)
  if (!address) return 'cannot be found: SMTP_URL cannot be read.'
  const { createTransport } = await nodemailer()
  const transport = createTransport({
    ...address,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 5_000,
  })
  try {
    await transport.verify()
    return null
  } catch (error) {
    const fault = mailFaultOf(error)
    return 'trouble' in fault ? fault.trouble : 'takes no mail.'
  } finally {
    transport.close()
  }
}

function asFile({ folder, from }: MailerOptions, complain: Complain): HandOver {
  const write = async (mail: Mail) => {
    const { createTransport } = await nodemailer()
    const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
    const { message } = await composer.sendMail(composed(from, mail))
    const name = `${mail.messageId.replace(/[^\w.-]/g, '')}.eml`
    await writeWhole(join(folder, name), message as Buffer)
    const { headers = {} } = composed(from, mail)
    const shown = { to: mail.to, subject: mail.subject, text: mail.text, at: new Date().toISOString(), headers }
    await writeWhole(join(folder, `${name}.json`), JSON.stringify(shown))
  }
  return async (mail) => {
    try {
      await write(mail)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? (error as Error).name
      complain(`Mails wait: they cannot be written to ${folder} (${code}).`)
      throw new MailNotSent(`The mail was not written: ${code}`)
    }
  }
}

/** What a demo mailbox shows of a mail. */
export interface StoredMail {
  to: string
  subject: string
  text: string
  /** ISO time. */
  at: string
  /** Beside the usual ones. */
  headers: Record<string, string>
}

/** The latest mails in the folder, the last one first. Their names hold ids, of which later ones sort after earlier ones. */
export async function listStoredMails(folder: string, atMost: number): Promise<StoredMail[]> {
  const idIn = (name: string) => name.replace(/^.*?(?=[0-9a-f]{8}-)/, '')
  const names = (await readdir(folder).catch(() => []))
    .filter((name) => name.endsWith('.eml.json'))
    .sort((a, b) => (idIn(a) < idIn(b) ? 1 : -1))
    .slice(0, atMost)
  const mails = await Promise.all(
    names.map(async (name) => {
      try {
        return JSON.parse(await readFile(join(folder, name), 'utf8')) as StoredMail
      } catch {
        // just removed
        return null
      }
    }),
  )
  return mails.filter((mail) => mail !== null).sort((a, b) => b.at.localeCompare(a.at))
}
