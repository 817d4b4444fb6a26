import { createECDH } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import { createIdLog, type IdLog } from '../kit/server/id-log.ts'
import { usualConnections, type Connections } from '../kit/server/database.ts'
import type { FestivalDays } from '../brand/festival-days.ts'
import type { SecretPlace } from '../kit/server/keyring.ts'
import type { MapSettings } from '../map/server/map.ts'
import type { PaymentSettings } from '../payments/server/room.ts'
import { readSmtpAddress } from '../kit/server/smtp-address.ts'

/** Everything the operator decides, as one typed tree. Made once at start; nothing else reads the environment. */
export interface Config {
  host: string
  port: number
  /** Origin under which people reach the site; null: taken from each request where that is safe. */
  publicUrl: string | null
  dataDir: string
  /** null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null
  /** Replicas that reads may go to, each by its own address. */
  databaseReadUrls: string[]
  /** For what needs a session of its own (start, listening), past a pooler; null: `databaseUrl`. */
  databaseDirectUrl: string | null
  databaseConnections: Connections
  smtpUrl: string | null
  mailFrom: string
  /** From which the keys of this installation are made; null: kept in the data folder or the database. */
  secretKey: string | null
  /** The one before it, which still counts for reading. */
  oldSecretKey: string | null
  /** Some things wait until an e-mail address is confirmed. */
  requireVerifiedEmail: boolean
  /** When a signup must bring a proof of work: beyond some from one address, or always. */
  signupChallenge: 'auto' | 'always'
  /** Well-known passwords are refused. */
  passwordBlocklist: boolean
  google: { clientId: string; clientSecret: string; issuer: string } | null
  /** Own keys for web push, base64url; null: made at the first start. */
  vapid: { publicKey: string; privateKey: string } | null
  /** Whom a push service may write to: `mailto:` or https. */
  vapidSubject: string
  /** Where uploads are kept; null: in `dataDir`. */
  s3: { endpoint: string; region: string; bucket: string; accessKeyId: string; secretAccessKey: string } | null
  payments: PaymentSettings
  /** How many proxies stand in a row in front; 0: none whose X-Forwarded-For is believed. */
  trustProxy: number
  /** Requests to the API that one address may make in a second, per instance. */
  requestsPerSecond: number
  /** Open streams that one address may have, per instance. */
  streamsPerAddress: number
  /** For so long a CDN may keep answers that are the same for everybody; 0: not at all. */
  publicCacheSeconds: number
  /** Browsers keep the app and what they have seen, for when there is no network; off: they forget it. */
  serviceWorker: boolean
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  demoData: boolean
  map: MapSettings
  festival: {
    name: string
    edition: string
    zone: string
    latitude: number
    longitude: number
    /** First and last day; null: the programme's, in the demo those around today. */
    days: FestivalDays | null
  }
}

export class ConfigError extends Error {}

const flag = z.stringbool({ truthy: ['1', 'true', 'on', 'yes'], falsy: ['0', 'false', 'off', 'no'] })

const connectionCount = (usual: number) =>
  z
    .string()
    .regex(/^\d{1,3}$/, 'must be a number')
    .transform(Number)
    .refine((count) => count >= 2 && count <= 100, 'must be 2 to 100')
    .default(usual)

const schema = z.object({
  HOST: z.string().default('0.0.0.0'),
  PORT: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a number')
    .transform(Number)
    .refine((port) => port <= 65535, 'must be 0 to 65535')
    .default(3000),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, 'must be an origin such as https://deals.example.ch, without a path')
    .optional(),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: z
    .string()
    .refine(isPostgresUrl, 'must be a URL such as postgres://user:password@host:5432/database')
    .optional(),
  DATABASE_READ_URL: z
    .string()
    .transform((value) => value.split(/\s+/).filter(Boolean))
    .refine(
      (urls) => urls.length <= 8 && urls.every(isPostgresUrl),
      'must be the URLs of at most 8 replicas with spaces between them, such as postgres://user:password@host:5432/database',
    )
    .default([]),
  DATABASE_DIRECT_URL: z
    .string()
    .refine(isPostgresUrl, 'must be a URL such as postgres://user:password@host:5432/database')
    .optional(),
  DATABASE_CONNECTIONS_READING: connectionCount(usualConnections.reading),
  DATABASE_CONNECTIONS_WRITING: connectionCount(usualConnections.writing),
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
  GOOGLE_CLIENT_ID: z.string().max(300, 'may have 300 characters').optional(),
  GOOGLE_CLIENT_SECRET: z.string().max(300, 'may have 300 characters').optional(),
  GOOGLE_ISSUER: z
    .string()
    .refine(isSafeUrl, 'must be an https URL (http only on this machine)')
    .default('https://accounts.google.com'),
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
  S3_ENDPOINT: z.string().refine(isSafeUrl, 'must be an https URL (http only on this machine)').optional(),
  S3_REGION: z.string().max(60, 'may have 60 characters').default('auto'),
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
  STRIPE_API_BASE: z.string().refine(isSafeUrl, 'must be an https URL (http only on this machine)').optional(),
  INVOICE_ISSUER: z.string().max(300, 'may have 300 characters').optional(),
  VAT_ID: z.string().max(60, 'may have 60 characters').optional(),
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
  REQUESTS_PER_SECOND: z
    .string()
    .regex(/^\d{1,7}$/, 'must be a number')
    .transform(Number)
    .refine((limit) => limit >= 100, 'must be 100 or more: a festival crowd shares addresses')
    .default(20_000),
  PUBLIC_CACHE_SECONDS: z
    .string()
    .regex(/^\d{1,2}$/, 'must be a number of seconds')
    .transform(Number)
    .refine((seconds) => seconds <= 60, 'must be 60 or less: prices and places change')
    .default(0),
  STREAMS_PER_ADDRESS: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a number')
    .transform(Number)
    .refine((limit) => limit >= 10, 'must be 10 or more: a festival crowd shares addresses')
    .default(1_000),
  SERVICE_WORKER: flag.default(true),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  DEMO_DATA: flag.optional(),
  MAP_STYLE_URL: z.string().max(1500, 'may have 1500 characters').optional(),
  MAP_KEY: z.string().max(200, 'may have 200 characters').optional(),
  MAP_ORIGINS: z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine(
      (origins) => origins.length <= 20 && origins.every(isLoadableOrigin),
      'must be at most 20 origins with commas between them, such as https://tiles.example.ch, without paths',
    )
    .default([]),
  MAP_PACK: z.string().optional(),
  FESTIVAL_NAME: z.string().max(60, 'may have 60 characters').default('Rheinklang'),
  FESTIVAL_EDITION: z.string().max(20, 'may have 20 characters').default('2025'),
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

/** Every variable that is read. */
export const settingNames: ReadonlySet<string> = new Set(Object.keys(schema.shape))

/**
 * The configuration of this process, from its environment and the file `.env`.
 * @throws ConfigError with one sentence per fault
 */
export function configFromEnvironment(envFile = '.env'): Config {
  try {
    if (existsSync(envFile)) process.loadEnvFile(envFile)
  } catch {
    // Node says of one that belongs to somebody else that it is not there
    throw new ConfigError(`This system user cannot read "${resolve(envFile)}".`)
  }
  return readConfig(process.env, process.cwd())
}

/**
 * The configuration from an environment. Empty counts as absent, foreign variables are ignored (strange-settings.ts names those that look meant).
 * @throws ConfigError with one sentence per fault
 */
export function readConfig(env: Record<string, string | undefined>, workingFolder: string): Config {
  const given = Object.fromEntries(
    [...settingNames].flatMap((name) => {
      const value = env[name]?.trim()
      return value ? [[name, value]] : []
    }),
  )
  const result = schema.safeParse(given)
  const faults = result.success ? contradictions(result.data, given) : result.error.issues.map(sentence)
  if (faults.length > 0 || !result.success) throw new ConfigError(faults.join('\n'))
  const value = result.data
  const mailFrom = value.MAIL_FROM ?? 'Rheinklang <hello@rheinklang.example>'
  return {
    host: value.HOST,
    port: value.PORT,
    publicUrl: value.PUBLIC_URL ? new URL(value.PUBLIC_URL).origin : null,
    dataDir: isAbsolute(value.DATA_DIR) ? value.DATA_DIR : resolve(workingFolder, value.DATA_DIR),
    databaseUrl: value.DATABASE_URL ?? null,
    databaseReadUrls: value.DATABASE_READ_URL,
    databaseDirectUrl: value.DATABASE_DIRECT_URL ?? null,
    databaseConnections: { reading: value.DATABASE_CONNECTIONS_READING, writing: value.DATABASE_CONNECTIONS_WRITING },
    smtpUrl: value.SMTP_URL ?? null,
    mailFrom,
    secretKey: value.SECRET_KEY ?? null,
    oldSecretKey: value.SECRET_KEY_OLD ?? null,
    requireVerifiedEmail: value.REQUIRE_VERIFIED_EMAIL ?? value.SMTP_URL !== undefined,
    signupChallenge: value.SIGNUP_CHALLENGE,
    passwordBlocklist: value.PASSWORD_BLOCKLIST ?? (value.SMTP_URL !== undefined || value.DATABASE_URL !== undefined),
    google:
      value.GOOGLE_CLIENT_ID && value.GOOGLE_CLIENT_SECRET
        ? {
            clientId: value.GOOGLE_CLIENT_ID,
            clientSecret: value.GOOGLE_CLIENT_SECRET,
            issuer: value.GOOGLE_ISSUER,
          }
        : null,
    vapid:
      value.VAPID_PUBLIC_KEY && value.VAPID_PRIVATE_KEY
        ? { publicKey: value.VAPID_PUBLIC_KEY, privateKey: value.VAPID_PRIVATE_KEY }
        : null,
    vapidSubject: value.VAPID_SUBJECT ?? `mailto:${/<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom}`,
    s3:
      value.S3_ENDPOINT && value.S3_BUCKET && value.S3_ACCESS_KEY_ID && value.S3_SECRET_ACCESS_KEY
        ? {
            endpoint: value.S3_ENDPOINT,
            region: value.S3_REGION,
            bucket: value.S3_BUCKET,
            accessKeyId: value.S3_ACCESS_KEY_ID,
            secretAccessKey: value.S3_SECRET_ACCESS_KEY,
          }
        : null,
    payments: paymentsOf(value),
    trustProxy: value.TRUST_PROXY,
    requestsPerSecond: value.REQUESTS_PER_SECOND,
    streamsPerAddress: value.STREAMS_PER_ADDRESS,
    publicCacheSeconds: value.PUBLIC_CACHE_SECONDS,
    serviceWorker: value.SERVICE_WORKER,
    logLevel: value.LOG_LEVEL,
    demoData: value.DEMO_DATA ?? value.DATABASE_URL === undefined,
    map: {
      styleUrl: filledStyleUrl(value)?.href ?? null,
      packFile: value.MAP_PACK ? resolve(workingFolder, value.MAP_PACK) : null,
      origins: originsOf(filledStyleUrl(value), value.MAP_ORIGINS),
    },
    festival: {
      name: value.FESTIVAL_NAME,
      edition: value.FESTIVAL_EDITION,
      zone: value.FESTIVAL_ZONE,
      latitude: value.FESTIVAL_LAT,
      longitude: value.FESTIVAL_LON,
      days:
        value.FESTIVAL_START && value.FESTIVAL_END ? { start: value.FESTIVAL_START, end: value.FESTIVAL_END } : null,
    },
  }
}

/**
 * Test payments are the default only on the embedded database, and there not where a site without demo data is open to others:
 * they would give away what is sold.
 */
function paymentsOf(value: z.infer<typeof schema>): PaymentSettings {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecrets } = value
  const isOpen = value.PUBLIC_URL !== undefined && !isLoopback(new URL(value.PUBLIC_URL).hostname)
  const isDemo = value.DATABASE_URL === undefined && !(value.DEMO_DATA === false && isOpen)
  return {
    provider: value.PAYMENTS ?? (secretKey ? 'stripe' : isDemo ? 'test' : null),
    testCheckout: value.TEST_PAYMENTS === 'checkout',
    stripe: secretKey && webhookSecrets ? { secretKey, webhookSecrets, apiBase: value.STRIPE_API_BASE ?? null } : null,
    // in one line of the environment the lines of an address have | between them
    issuer:
      value.INVOICE_ISSUER?.split('|')
        .map((line) => line.trim())
        .join('\n') ?? value.FESTIVAL_NAME,
    vat: value.VAT_ID && value.VAT_RATE ? { id: value.VAT_ID, rate: value.VAT_RATE } : null,
  }
}

/** Whether anything is kept in the data folder: not where database, mails and uploads are elsewhere. */
export function keepsFiles({ databaseUrl, smtpUrl, s3 }: Config): boolean {
  return databaseUrl === null || smtpUrl === null || s3 === null
}

/** Whether other instances may share the database, but would not find the uploads. */
export function keepsUploadsHereAlone({ databaseUrl, s3 }: Config): boolean {
  return databaseUrl !== null && s3 === null
}

/** Whether the site says that others than this machine can open it. */
export function isPublic({ publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  return publicUrl !== null && !isLoopback(new URL(publicUrl).hostname)
}

/** Whether merchants from elsewhere may take what costs money and pay nothing. */
export function givesAwayInPublic({ payments, publicUrl }: Config): boolean {
  return payments.provider === 'test' && isPublic({ publicUrl })
}

/** Where deleted accounts are noted, outside the database. */
export function deletionsOf({ dataDir, s3 }: Config): IdLog {
  return createIdLog({ file: join(dataDir, 'deletions.log'), s3, prefix: 'deletions/' })
}

/** Where the secret of the installation lies, and the one before it. */
export function secretPlaceOf({ secretKey, oldSecretKey, dataDir, databaseUrl }: Config): SecretPlace {
  return { secretKey, oldSecretKey, dataDir, embedded: databaseUrl === null }
}

/** Zones whose clocks always show the same as Zurich's. */
const swissTime = ['Europe/Busingen', 'Europe/Vaduz']

/** Of P-256, as web push takes them. */
function isKeyPair(publicKey: string, privateKey: string): boolean {
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(Buffer.from(privateKey, 'base64url'))
    return pair.getPublicKey().equals(Buffer.from(publicKey, 'base64url'))
  } catch {
    return false
  }
}

function contradictions(value: z.infer<typeof schema>, given: Record<string, string>): string[] {
  const faults: string[] = []
  if (value.SMTP_URL && !value.MAIL_FROM)
    faults.push('SMTP_URL is set, so MAIL_FROM must say from which address mail is sent.')
  for (const name of ['DATABASE_READ_URL', 'DATABASE_DIRECT_URL'])
    if (name in given && !value.DATABASE_URL)
      faults.push(`${name} is set, and DATABASE_URL, the primary that it belongs to, is not.`)
  if (value.SECRET_KEY_OLD && !value.SECRET_KEY)
    faults.push('SECRET_KEY_OLD is set, and SECRET_KEY, which would take its place, is not.')
  if (value.SECRET_KEY && value.SECRET_KEY === value.SECRET_KEY_OLD)
    faults.push('SECRET_KEY and SECRET_KEY_OLD are the same: the old one is the one before.')
  if ('GOOGLE_CLIENT_ID' in given !== 'GOOGLE_CLIENT_SECRET' in given)
    faults.push('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together: set both or neither.')
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = value
  if ('VAPID_PUBLIC_KEY' in given !== 'VAPID_PRIVATE_KEY' in given)
    faults.push('VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY belong together: set both or neither.')
  else if (publicKey && privateKey && !isKeyPair(publicKey, privateKey))
    faults.push('VAPID_PUBLIC_KEY is not the key that belongs to VAPID_PRIVATE_KEY.')
  const bucket = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
  const missing = bucket.filter((name) => !(name in given))
  if (missing.length > 0 && missing.length < bucket.length)
    faults.push(`${bucket.join(', ')} belong together: ${missing.join(', ')} missing.`)
  if ('FESTIVAL_LAT' in given !== 'FESTIVAL_LON' in given)
    faults.push('FESTIVAL_LAT and FESTIVAL_LON belong together: set both or neither.')
  if ('FESTIVAL_START' in given !== 'FESTIVAL_END' in given)
    faults.push('FESTIVAL_START and FESTIVAL_END belong together: set both or neither.')
  if (value.FESTIVAL_START && value.FESTIVAL_END && value.FESTIVAL_END < value.FESTIVAL_START)
    faults.push('FESTIVAL_END lies before FESTIVAL_START.')
  faults.push(...contradictionsOfPayments(value, given), ...contradictionsOfMap(value))
  if (value.FESTIVAL_ZONE !== 'Europe/Zurich' && !swissTime.includes(value.FESTIVAL_ZONE))
    faults.push(
      `FESTIVAL_ZONE must keep Swiss time (Europe/Zurich, ${swissTime.join(', ')}): opening hours are read by it.`,
    )
  return faults
}

function contradictionsOfPayments(value: z.infer<typeof schema>, given: Record<string, string>): string[] {
  const faults: string[] = []
  const stripe = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'].filter((name) => name in given)
  if (stripe.length === 1)
    faults.push('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together: set both or neither.')
  if (value.PAYMENTS === 'stripe' && stripe.length === 0)
    faults.push('PAYMENTS is stripe, so STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set.')
  if (value.STRIPE_API_BASE && stripe.length === 0)
    faults.push('STRIPE_API_BASE is set, and STRIPE_SECRET_KEY, for which it would be, is not.')
  if (value.TEST_PAYMENTS && paymentsOf(value).provider !== 'test')
    faults.push('TEST_PAYMENTS is set, and payments are not those of the test provider (PAYMENTS=test).')
  if ('VAT_ID' in given !== 'VAT_RATE' in given)
    faults.push('VAT_ID and VAT_RATE belong together: set both or neither.')
  return faults
}

function contradictionsOfMap(value: z.infer<typeof schema>): string[] {
  const { MAP_STYLE_URL: style, MAP_KEY: key, MAP_ORIGINS: origins, PUBLIC_URL: publicUrl } = value
  if (!style) {
    const alone = [...(key ? ['MAP_KEY'] : []), ...(origins.length > 0 ? ['MAP_ORIGINS'] : [])]
    return alone.map((name) => `${name} is set, and MAP_STYLE_URL, for which it would be, is not.`)
  }
  if (style.includes('{key}') && !key) return ['MAP_STYLE_URL has a {key} in it, so MAP_KEY must say which.']
  if (key && !style.includes('{key}')) return ['MAP_KEY is set, and MAP_STYLE_URL has no {key} where it belongs.']
  if (/\{[xyz]\}/.test(style))
    return ['MAP_STYLE_URL is the address of tiles; it must be that of a style (a JSON document, often style.json).']
  const url = filledStyleUrl(value)
  if (!url || !isLoadableOrigin(url.origin) || url.username || url.password)
    return ['MAP_STYLE_URL must be an address such as https://tiles.example.ch/style.json?key={key}.']
  if (url.href.length > 2000) return ['MAP_STYLE_URL may have 2000 characters, its key included.']
  if (publicUrl?.startsWith('https:') && [url.origin, ...origins].some((each) => each.startsWith('http:')))
    return ['PUBLIC_URL is https, so MAP_STYLE_URL and MAP_ORIGINS must be too: browsers load nothing else there.']
  return []
}

/** The style's address with the key in it; null: none, or it cannot be read. */
function filledStyleUrl({ MAP_STYLE_URL: style, MAP_KEY: key = '' }: z.infer<typeof schema>): URL | null {
  return style ? URL.parse(style.replaceAll('{key}', () => encodeURIComponent(key))) : null
}

function originsOf(style: URL | null, others: string[]): string[] {
  return style ? [...new Set([style.origin, ...others.map((each) => new URL(each).origin)])] : []
}

/** What a Content Security Policy can name: no IPv6 literal, no character that would end the entry. */
function isLoadableOrigin(value: string): boolean {
  return isOrigin(value) && /^https?:\/\/[a-z0-9.-]+(:\d+)?$/.test(new URL(value).origin)
}

function sentence(issue: z.core.$ZodIssue): string {
  const name = String(issue.path[0])
  if (issue.code === 'invalid_value') return `${name} must be one of ${issue.values.join(', ')}.`
  return `${name} ${issue.message}.`
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

/** Where this machine itself finds the site when there is no PUBLIC_URL: logins lie in one origin, so it is the same everywhere. */
export function ownOrigin({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  return `http://${isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`
}

/** A host name that can only mean this machine. */
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
