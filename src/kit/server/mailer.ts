import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { writeWhole } from './data-folder.ts'

export interface Mail {
  to: string
  replyTo?: string
  subject: string
  text: string
  /** The same as HTML. */
  html?: string
  /** Where one click ends a newsletter (RFC 8058). */
  unsubscribeUrl?: string
  /** Stays the same when a mail is tried again, so that a mailbox can tell a double. */
  messageId: string
}

export interface Mailer {
  /** Throws `MailRefused` when the mail will never be taken; anything else may pass with another try. */
  send(mail: Mail): Promise<void>
}

/** The mail server has refused the mail for good (5xx). */
export class MailRefused extends Error {}

const timeoutMs = 10_000

/** Sends by SMTP; without `smtpUrl` each mail becomes a file `<folder>/<id>.eml`, to be shown by `keptMails`. */
export function createMailer(options: { smtpUrl: string | null; from: string; folder: string }): Mailer {
  const composed = ({ unsubscribeUrl, ...mail }: Mail) => ({
    from: options.from,
    ...mail,
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
  })
  if (options.smtpUrl) {
    const transport = createTransport({
      url: options.smtpUrl,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    })
    return {
      async send(mail) {
        try {
          await transport.sendMail(composed(mail))
        } catch (error) {
          const code = (error as { responseCode?: number }).responseCode ?? 0
          // what the server said may repeat the address, so only its number is kept
          if (code >= 500) throw new MailRefused(`The mail server answered ${code}`)
          throw new Error(`The mail was not sent: ${code || ((error as { code?: string }).code ?? 'no answer')}`)
        }
      },
    }
  }
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(mail) {
      const { message } = await composer.sendMail(composed(mail))
      const name = `${mail.messageId.replace(/[^\w.-]/g, '')}.eml`
      await writeWhole(join(options.folder, name), message as Buffer)
      const { headers = {} } = composed(mail)
      const shown = { to: mail.to, subject: mail.subject, text: mail.text, at: new Date().toISOString(), headers }
      await writeWhole(join(options.folder, `${name}.json`), JSON.stringify(shown))
    },
  }
}

/** What a demo mailbox shows of a mail. */
export interface KeptMail {
  to: string
  subject: string
  text: string
  /** ISO time. */
  at: string
  /** Beside the usual ones. */
  headers: Record<string, string>
}

/** The mails in the folder, the latest first. */
export async function keptMails(folder: string, atMost: number): Promise<KeptMail[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml.json'))
  const mails = await Promise.all(
    names.map(async (name) => {
      try {
        return JSON.parse(await readFile(join(folder, name), 'utf8')) as KeptMail
      } catch {
        // just removed
        return null
      }
    }),
  )
  return mails
    .filter((mail) => mail !== null)
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, atMost)
}
