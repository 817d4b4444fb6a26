import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'

export interface Mail {
  to: string
  replyTo?: string
  subject: string
  text: string
  /** Stays the same when a mail is tried again, so that a mailbox can tell a double. */
  messageId: string
}

export interface Mailer {
  send(mail: Mail): Promise<void>
}

const timeoutMs = 10_000

/** Sends by SMTP; without `smtpUrl` each mail becomes a file `<folder>/<time>-<id>.eml`. */
export function createMailer(options: { smtpUrl: string | null; from: string; folder: string }): Mailer {
  if (options.smtpUrl) {
    const transport = createTransport({
      url: options.smtpUrl,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    })
    return {
      async send(mail) {
        await transport.sendMail({ from: options.from, ...mail })
      },
    }
  }
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(mail) {
      const { message } = await composer.sendMail({ from: options.from, ...mail })
      await mkdir(options.folder, { recursive: true, mode: 0o700 })
      const name = `${mail.messageId.replace(/[^\w.-]/g, '')}.eml`
      // first whole, then visible: nobody ever reads half a mail
      await writeFile(join(options.folder, `.${name}`), message as Buffer, { mode: 0o600 })
      await rename(join(options.folder, `.${name}`), join(options.folder, name))
    },
  }
}
