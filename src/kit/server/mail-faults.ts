/** The mail server has refused this mail for good (5xx): its recipient or its content. Another try would end the same. */
export class MailRefused extends Error {
  override name = 'MailRefused'
  readonly code: number
  /** Its content: perhaps the sender, in words that are not known here. */
  readonly of: Refused
  constructor(code: number, of: Refused) {
    super(`The mail server refused the mail: ${code}`)
    this.code = code
    this.of = of
  }
}

/** The mail has not left, and will with another try: now, or once somebody has mended what is in its way. */
export class MailNotSent extends Error {
  override name = 'MailNotSent'
}

type Refused = 'recipient' | 'content'

/** As nodemailer throws it. */
interface SmtpError {
  code?: string
  /** Of the operating system or of TLS. */
  originalCode?: string
  /** Which step of the protocol failed. */
  command?: string
  responseCode?: number
  response?: string
  message?: string
}

/** Whose fault it is that a mail did not leave. `trouble` concerns every mail, and reads on after the server's name. */
export type MailFault = { refusal: number; of: Refused } | { later: string } | { trouble: string }

const loginCodes = [530, 534, 535, 538]
/** Out of step, not known, or closed altogether: nothing that this mail could help. */
const serverCodes = [502, 503, 521]
/** Servers refuse us, or the sender, often only once they hear of a recipient. */
const meansUs =
  /\brelay|client host|sender address|sender verify|helo command|authenticat|not logged in|(daily|sending|hourly|message) (user )?(quota|limit|rate)/i
/** The same once they have the whole mail, as services for sending do. Of a recipient these words would mean another thing. */
const meansSender =
  /not verified|verified sender|sender identity|send ?as|from address|unauthori[sz]ed sender|sender (is )?rejected|sending (is )?paused|your \w+ (is|has been) (suspended|paused|disabled)/i
const tlsCodes = /TLS|SSL|CERT|SELF_SIGNED|UNABLE_TO_/

/** What the server said may repeat an address, so only its number is told. */
export function mailFaultOf(error: unknown): MailFault {
  const {
    code = '',
    command = '',
    originalCode,
    responseCode: said = 0,
    response = '',
    message = '',
  } = error as SmtpError
  if (code === 'EAUTH' || code === 'ENOAUTH' || code === 'EOAUTH2' || loginCodes.includes(said))
    return { trouble: `refuses the login (${said || code}). Look at user and password in SMTP_URL.` }
  if (command === 'RCPT TO' || command === 'DATA') {
    if (said < 500) return { later: String(said || code) }
    if (serverCodes.includes(said) || meansUs.test(response) || (command === 'DATA' && meansSender.test(response)))
      return { trouble: `takes no mail from us (${said}). Look at SMTP_URL and MAIL_FROM.` }
    return { refusal: said, of: command === 'DATA' ? 'content' : 'recipient' }
  }
  // larger than it takes, found out before it was asked
  if (code === 'EMESSAGE' && command === 'MAIL FROM') return { refusal: 552, of: 'content' }
  // no address that could be written into the protocol
  if (code === 'EENVELOPE' && command === 'API' && message.startsWith('Invalid recipient'))
    return { refusal: 501, of: 'recipient' }
  if (command === 'MAIL FROM' && said >= 500) return { trouble: `refuses the sender (${said}). Look at MAIL_FROM.` }
  if (code === 'EABORT') return { trouble: 'does not answer in time.' }
  const what = said || originalCode || code || 'no answer'
  if (code === 'ETLS' || tlsCodes.test(originalCode ?? '') || /wrong version number/.test(message))
    return { trouble: `cannot be spoken to securely (${what}). Look at smtp:// or smtps:// and the port in SMTP_URL.` }
  return { trouble: said ? `takes no mail now (${said}).` : `cannot be reached (${what}).` }
}
