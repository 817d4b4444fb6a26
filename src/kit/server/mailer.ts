import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onceInAWhile, type Complain } from './complaints.ts'
import { writeWhole } from './data-folder.ts'
import { MailNotSent, mailFaultOf, MailRefused } from './mail-faults.ts'
import { readSmtpAddress } from './smtp-address.ts'

export interface Mail {
  to: string
  /** Name and address apart: in one text, a comma in the name would separate two addresses. */
  replyTo?: { name: string; address: string }
  subject: string
  text: string
  /** The same text as HTML. */
  html?: string
  /** Address for one-click unsubscribe (RFC 8058). */
  unsubscribeUrl?: string
  /** The same for every retry of a mail, so that mailboxes recognise duplicates. */
  messageId: string
}

export interface Mailer {
  /** @throws MailRefused, MailNotSent; no other errors */
  send(mail: Mail): Promise<void>
  /**
   * Takes no more mails. Mails that are being sent have `graceMs` to finish; then they fail with MailNotSent, so that their jobs retry
   * them later.
   */
  close(graceMs: number): Promise<void>
}

/** Loaded with the first mail, so that a start does not wait for it. */
const nodemailer = () => import('nodemailer')

/** Time limit of each answer of the mail server. */
const timeoutMs = 10_000
/** Time limit of a whole mail, for servers that are slow at every step. */
const mailMs = 60_000

export interface MailerOptions {
  smtpUrl: string | null
  from: string
  folder: string
  /** Gets problems that stop every mail. */
  complain: Complain
  /** Called when a mail is sent after such a problem: waiting mails can be retried at once. */
  onWayFree?: () => void
}

/** Sends by SMTP. Without `smtpUrl` it stores each mail as a file `<folder>/<id>.eml`, for `listStoredMails`. */
export function createMailer(options: MailerOptions): Mailer {
  const complainRarely = onceInAWhile(options.complain)
  let isBarred = false
  const complain: Complain = (message, details) => {
    isBarred = true
    complainRarely(message, details)
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

/** Splits "Name <address>". If nodemailer parsed it, a colon in the name would make a group, and a comma two addresses. */
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
      // a mail that was cut off must not keep the process alive
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

/** Connects and logs in without sending. Returns the problem, as the rest of a sentence after "The mail server", or null. */
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

/** A mail in the demo mailbox. */
export interface StoredMail {
  to: string
  subject: string
  text: string
  /** ISO time. */
  at: string
  /** Only headers that not every mail has. */
  headers: Record<string, string>
}

/** The latest mails in the folder, the newest first. Their file names contain ids that sort by time. */
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
        // the file was just removed
        return null
      }
    }),
  )
  return mails.filter((mail) => mail !== null).sort((a, b) => b.at.localeCompare(a.at))
}
