import { z } from 'zod'
import { usualConnections } from '../kit/server/database.ts'
import { readSmtpAddress } from '../kit/server/smtp-address.ts'
import type { PaymentSettings } from '../payments/server/room.ts'

const flag = z.stringbool({ truthy: ['1', 'true', 'on', 'yes'], falsy: ['0', 'false', 'off', 'no'] })

/** A whole number of at most so many digits. */
const whole = (digits: number, isFit: (number: number) => boolean, rule: string, unit = '') =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${digits}}$`), `must be a number${unit}`)
    .transform(Number)
    .refine(isFit, `must be ${rule}`)

const connectionCount = () => whole(3, (count) => count >= 2 && count <= 100, '2 to 100')
const postgresUrl = () =>
  z.string().refine(isPostgresUrl, 'must be a URL such as postgres://user:password@host:5432/database')
const safeUrl = () => z.string().refine(isSafeUrl, 'must be an https URL (http only on this machine)')
const atMost = (characters: number) => z.string().max(characters, `may have ${characters} characters`)

/** Each setting: its form and its default. */
export const settings = z.object({
  HOST: z.string().default('0.0.0.0'),
  PORT: whole(6, (port) => port <= 65535, '0 to 65535').default(3000),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, 'must be an origin such as https://deals.example.ch, without a path')
    .optional(),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: postgresUrl().optional(),
  DATABASE_READ_URL: z
    .string()
    .transform((value) => value.split(/\s+/).filter(Boolean))
    .refine(
      (urls) => urls.length <= 8 && urls.every(isPostgresUrl),
      'must be the URLs of at most 8 replicas with spaces between them, such as postgres://user:password@host:5432/database',
    )
    .default([]),
  DATABASE_DIRECT_URL: postgresUrl().optional(),
  DATABASE_CONNECTIONS_READING: connectionCount().default(usualConnections.reading),
  DATABASE_CONNECTIONS_WRITING: connectionCount().default(usualConnections.writing),
  SMTP_URL: z
    .string()
    .refine(
      (value) => readSmtpAddress(value) !== null,
      'must be an address such as smtps://user:password@mail.example.ch:465; in user and password %2F stands for a slash, %3F for ?, %23 for #, %40 for @, %3A for : and %25 for %',
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .refine(isSender, 'must be an address such as hello@example.ch or Rheinklang <hello@example.ch>')
    .optional(),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  SECRET_KEY_OLD: z.string().min(32, 'must have at least 32 characters').optional(),
  REQUIRE_VERIFIED_EMAIL: flag.optional(),
  SIGNUP_CHALLENGE: z.enum(['auto', 'always']).default('auto'),
  PASSWORD_BLOCKLIST: flag.optional(),
  GOOGLE_CLIENT_ID: atMost(300).optional(),
  GOOGLE_CLIENT_SECRET: atMost(300).optional(),
  GOOGLE_ISSUER: safeUrl().default('https://accounts.google.com'),
  VAPID_PUBLIC_KEY: z
    .string()
    .regex(/^B[\w-]{86}=?$/, 'must be a point of P-256 in base64url')
    .optional(),
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}=?$/, 'must be 32 bytes in base64url')
    .optional(),
  VAPID_SUBJECT: z
    .string()
    .refine((value) => /^mailto:\S+@\S+$|^https:\/\/\S+$/.test(value), 'must begin with mailto: or https://')
    .optional(),
  S3_ENDPOINT: safeUrl().optional(),
  S3_REGION: atMost(60).default('auto'),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  PAYMENTS: z.enum(['stripe', 'test']).optional(),
  TEST_PAYMENTS: z.enum(['instant', 'checkout']).optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_/, { error: 'must be a secret key of Stripe, which begins with sk_ or rk_', abort: true })
    .regex(
      /^.{3}\w{10,200}$/,
      'is cut off or mistyped: after sk_ or rk_, a secret key has 10 to 200 letters, digits and underscores',
    )
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine((secrets) => secrets.length <= 10 && secrets.every((each) => each.startsWith('whsec_')), {
      error: 'must be the signing secret of the webhook, which begins with whsec_; several with commas between them',
      abort: true,
    })
    .refine(
      (secrets) => secrets.every((each) => /^whsec_\w{8,200}$/.test(each)),
      'is cut off or mistyped: after whsec_, a secret has 8 to 200 letters, digits and underscores',
    )
    .optional(),
  STRIPE_API_BASE: safeUrl().optional(),
  INVOICE_ISSUER: atMost(300).optional(),
  VAT_ID: atMost(60).optional(),
  VAT_RATE: z
    .string()
    .regex(/^\d{1,2}(\.\d{1,2})?$/, 'must be a number of percent such as 8.1')
    .transform(Number)
    .refine((rate) => rate > 0, 'must be more than 0')
    .optional(),
  TRUST_PROXY: z
    .string()
    .regex(/^(on|off|true|false|yes|no|\d)$/i, 'must be on, off, or how many proxies stand in a row, 9 at most')
    .transform((value) => (/^\d$/.test(value) ? Number(value) : Number(/^(on|true|yes)$/i.test(value))))
    .default(0),
  REQUESTS_PER_SECOND: whole(7, (limit) => limit >= 100, '100 or more: a festival crowd shares addresses').default(
    20_000,
  ),
  PUBLIC_CACHE_SECONDS: whole(
    2,
    (seconds) => seconds <= 60,
    '60 or less: prices and places change',
    ' of seconds',
  ).default(0),
  STREAMS_PER_ADDRESS: whole(5, (limit) => limit >= 10, '10 or more: a festival crowd shares addresses').default(1_000),
  SERVICE_WORKER: flag.default(true),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  DEMO_DATA: flag.optional(),
  MAP_STYLE_URL: atMost(1500).optional(),
  MAP_KEY: atMost(200).optional(),
  MAP_ORIGINS: z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine(
      (origins) => origins.length <= 20 && origins.every(isLoadableOrigin),
      'must be at most 20 origins with commas between them, such as https://tiles.example.ch, without paths',
    )
    .default([]),
  MAP_PACK: z.string().optional(),
  FESTIVAL_NAME: atMost(60).default('Rheinklang'),
  FESTIVAL_EDITION: atMost(20).default('2025'),
  FESTIVAL_ZONE: z.string().refine(isZone, 'must be a time zone such as Europe/Zurich').default('Europe/Zurich'),
  FESTIVAL_LAT: z.coerce
    .number('must be a number')
    .min(-85, 'must be -85 to 85')
    .max(85, 'must be -85 to 85')
    .default(47.5596),
  FESTIVAL_LON: z.coerce
    .number('must be a number')
    .min(-180, 'must be -180 to 180')
    .max(180, 'must be -180 to 180')
    .default(7.5886),
  FESTIVAL_START: z.iso.date('must be a day such as 2026-06-19').optional(),
  FESTIVAL_END: z.iso.date('must be a day such as 2026-06-21').optional(),
})

export const settingNames: ReadonlySet<string> = new Set(Object.keys(settings.shape))

export type Settings = z.infer<typeof settings>

/**
 * The settings of payments. Test payments are the default only with the embedded database, and not on a public site without demo data:
 * they would give away what is for sale.
 */
export function paymentsOf(value: Settings): PaymentSettings {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecrets } = value
  const isOpen = value.PUBLIC_URL !== undefined && !isLoopback(new URL(value.PUBLIC_URL).hostname)
  const isDemo = value.DATABASE_URL === undefined && !(value.DEMO_DATA === false && isOpen)
  return {
    provider: value.PAYMENTS ?? (secretKey ? 'stripe' : isDemo ? 'test' : null),
    testCheckout: value.TEST_PAYMENTS === 'checkout',
    stripe: secretKey && webhookSecrets ? { secretKey, webhookSecrets, apiBase: value.STRIPE_API_BASE ?? null } : null,
    // INVOICE_ISSUER separates the lines of an address by |
    issuer:
      value.INVOICE_ISSUER?.split('|')
        .map((line) => line.trim())
        .join('\n') ?? value.FESTIVAL_NAME,
    vat: value.VAT_ID && value.VAT_RATE ? { id: value.VAT_ID, rate: value.VAT_RATE } : null,
  }
}

/** Address of the map style with its key; null: none is set, or it is invalid. */
export function filledStyleUrl({ MAP_STYLE_URL: style, MAP_KEY: key = '' }: Settings): URL | null {
  return style ? URL.parse(style.replaceAll('{key}', () => encodeURIComponent(key))) : null
}

/** Whether a Content Security Policy can name this origin: no IPv6 literal, no character that would end the entry. */
export function isLoadableOrigin(value: string): boolean {
  return isOrigin(value) && /^https?:\/\/[a-z0-9.-]+(:\d+)?$/.test(new URL(value).origin)
}

function isOrigin(value: string): boolean {
  const url = URL.parse(value)
  return (
    !!url &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    !url.search &&
    !url.hash &&
    !url.username &&
    !url.password
  )
}

function isSafeUrl(value: string): boolean {
  const url = URL.parse(value)
  return !!url && !url.username && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))
}

/** Whether a host name means this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
}

function isPostgresUrl(value: string): boolean {
  const url = URL.parse(value)
  return !!url && /^postgres(ql)?:$/.test(url.protocol)
}

function isSender(value: string): boolean {
  const address = '[^\\s<>@,;]+@[^\\s<>@,;]+'
  return new RegExp(`^(${address}|[^<>\\r\\n]*<${address}>)$`).test(value)
}

function isZone(value: string): boolean {
  try {
    Temporal.Now.zonedDateTimeISO(value)
    return true
  } catch {
    return false
  }
}
