import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import type { z } from 'zod'
import { createIdLog, type IdLog } from '../kit/server/id-log.ts'
import type { Connections } from '../kit/server/database.ts'
import type { FestivalDays } from '../brand/festival-days.ts'
import type { SecretPlace } from '../kit/server/keyring.ts'
import type { MapSettings } from '../map/server/map.ts'
import type { PaymentSettings } from '../payments/server/room.ts'
import { contradictions } from './contradictions.ts'
import { filledStyleUrl, isLoopback, paymentsOf, settingNames, settings } from './settings.ts'

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
  const result = settings.safeParse(given)
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

function originsOf(style: URL | null, others: string[]): string[] {
  return style ? [...new Set([style.origin, ...others.map((each) => new URL(each).origin)])] : []
}

/** Whether anything is kept in the data folder: not where database, mails and uploads are elsewhere. */
export function usesDataFolder({ databaseUrl, smtpUrl, s3 }: Config): boolean {
  return databaseUrl === null || smtpUrl === null || s3 === null
}

/** Whether other instances may share the database, but would not find the uploads. */
export function storesUploadsLocally({ databaseUrl, s3 }: Config): boolean {
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

function sentence(issue: z.core.$ZodIssue): string {
  const name = String(issue.path[0])
  if (issue.code === 'invalid_value') return `${name} must be one of ${issue.values.join(', ')}.`
  return `${name} ${issue.message}.`
}

/** Where this machine itself finds the site when there is no PUBLIC_URL: logins lie in one origin, so it is the same everywhere. */
export function ownOrigin({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  return `http://${isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`
}
