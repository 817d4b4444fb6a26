/** The mail server has refused this mail permanently (5xx), for its recipient or its content. Retrying does not help. */
export class MailRefused extends Error {
  override name = 'MailRefused'
  readonly code: number
  /** `content` may also mean the sender, where the server's words are unknown. */
  readonly of: Refused
  constructor(code: number, of: Refused) {
    super(`The mail server refused the mail: ${code}`)
    this.code = code
    this.of = of
  }
}

/** The mail was not sent. A retry will send it, at once or when the operator has solved the problem. */
export class MailNotSent extends Error {
  override name = 'MailNotSent'
}

type Refused = 'recipient' | 'content'

/** An error of nodemailer. */
interface SmtpError {
  code?: string
  /** Code of the operating system or of TLS. */
  originalCode?: string
  /** Failed step of the protocol. */
  command?: string
  responseCode?: number
  response?: string
  message?: string
}

/** Why a mail was not sent. `trouble`: a problem of every mail, as the rest of a sentence that begins with the server's name. */
export type MailFault = { refusal: number; of: Refused } | { later: string } | { trouble: string }

const loginCodes = [530, 534, 535, 538]
/** Unknown command, wrong order of commands, server takes no mail: not caused by this mail. */
const serverCodes = [502, 503, 521]
/** Refusals of this server or the sender that mail servers often send only at the recipient. */
const meansUs =
  /\brelay|client host|sender address|sender verify|helo command|authenticat|not logged in|(daily|sending|hourly|message) (user )?(quota|limit|rate)/i
/** Refusals of the sender after the whole mail, as sending services send them. At the recipient these words mean the recipient. */
const meansSender =
  /not verified|verified sender|sender identity|send ?as|from address|unauthori[sz]ed sender|sender (is )?rejected|sending (is )?paused|your \w+ (is|has been) (suspended|paused|disabled)/i
const tlsCodes = /TLS|SSL|CERT|SELF_SIGNED|UNABLE_TO_/

/** Classifies an error of nodemailer. Only the server's code is passed on, as its text may repeat an address. */
export function mailFaultOf(error: unknown): MailFault {
  const {
    code = '',
    command = '',
    originalCode,
    responseCode: status = 0,
    response = '',
    message = '',
  } = error as SmtpError
  if (code === 'EAUTH' || code === 'ENOAUTH' || code === 'EOAUTH2' || loginCodes.includes(status))
    return { trouble: `refuses the login (${status || code}). Look at user and password in SMTP_URL.` }
  if (command === 'RCPT TO' || command === 'DATA') {
    if (status < 500) return { later: String(status || code) }
    if (serverCodes.includes(status) || meansUs.test(response) || (command === 'DATA' && meansSender.test(response)))
      return { trouble: `takes no mail from us (${status}). Look at SMTP_URL and MAIL_FROM.` }
    return { refusal: status, of: command === 'DATA' ? 'content' : 'recipient' }
  }
  // larger than the server accepts, as nodemailer found out before sending
  if (code === 'EMESSAGE' && command === 'MAIL FROM') return { refusal: 552, of: 'content' }
  // an address that SMTP cannot transport
  if (code === 'EENVELOPE' && command === 'API' && message.startsWith('Invalid recipient'))
    return { refusal: 501, of: 'recipient' }
  if (command === 'MAIL FROM' && status >= 500) return { trouble: `refuses the sender (${status}). Look at MAIL_FROM.` }
  if (code === 'EABORT') return { trouble: 'does not answer in time.' }
  const what = status || originalCode || code || 'no answer'
  if (code === 'ETLS' || tlsCodes.test(originalCode ?? '') || /wrong version number/.test(message))
    return { trouble: `cannot be spoken to securely (${what}). Look at smtp:// or smtps:// and the port in SMTP_URL.` }
  return { trouble: status ? `takes no mail now (${status}).` : `cannot be reached (${what}).` }
}
