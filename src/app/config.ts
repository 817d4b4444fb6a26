import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import type { z } from 'zod'
import { createIdLog, type IdLog } from '../kit/server/id-log.ts'
import type { SecretPlace } from '../kit/server/keyring.ts'
import { contradictions } from './contradictions.ts'
import { filledStyleUrl, isLoopback, paymentsOf, settingNames, settings } from './settings.ts'

/** All settings of the operator. Made once at start; nothing else reads the environment. */
export type Config = ReturnType<typeof readConfig>

export class ConfigError extends Error {}

/**
 * The configuration from the environment of this process and the file `.env`.
 * @throws ConfigError with one sentence per fault
 */
export function configFromEnvironment(envFile = '.env'): Config {
  try {
    if (existsSync(envFile)) process.loadEnvFile(envFile)
  } catch {
    // Node's own message says that a file without read permission does not exist
    throw new ConfigError(`This system user cannot read "${resolve(envFile)}".`)
  }
  return readConfig(process.env, process.cwd())
}

/**
 * The configuration from an environment. Empty variables count as absent; unknown ones are ignored (strange-settings.ts warns of
 * those that look mistyped).
 * @throws ConfigError with one sentence per fault
 */
export function readConfig(env: Record<string, string | undefined>, workingFolder: string) {
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
    /** Origin under which people reach the site; null: taken from each request where that is safe. */
    publicUrl: value.PUBLIC_URL ? new URL(value.PUBLIC_URL).origin : null,
    dataDir: isAbsolute(value.DATA_DIR) ? value.DATA_DIR : resolve(workingFolder, value.DATA_DIR),
    /** null: the embedded PostgreSQL in `dataDir`. */
    databaseUrl: value.DATABASE_URL ?? null,
    /** Addresses of replicas that reads may use. */
    databaseReadUrls: value.DATABASE_READ_URL,
    /** Address without a pooler, for work that needs its own session (start, listening); null: `databaseUrl`. */
    databaseDirectUrl: value.DATABASE_DIRECT_URL ?? null,
    databaseConnections: { reading: value.DATABASE_CONNECTIONS_READING, writing: value.DATABASE_CONNECTIONS_WRITING },
    smtpUrl: value.SMTP_URL ?? null,
    mailFrom,
    /** Secret from which all keys are derived; null: one is created and stored in the data folder or the database. */
    secretKey: value.SECRET_KEY ?? null,
    /** The previous secret, still valid for reading what it has sealed. */
    oldSecretKey: value.SECRET_KEY_OLD ?? null,
    /** Accounts must confirm their email before they can do some things. */
    requireVerifiedEmail: value.REQUIRE_VERIFIED_EMAIL ?? value.SMTP_URL !== undefined,
    /** When a signup needs a proof of work: `auto` after several from one address. */
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
    /** Keys for web push, base64url; null: created at the first start. */
    vapid:
      value.VAPID_PUBLIC_KEY && value.VAPID_PRIVATE_KEY
        ? { publicKey: value.VAPID_PUBLIC_KEY, privateKey: value.VAPID_PRIVATE_KEY }
        : null,
    /** Contact for push services: `mailto:` or https. */
    vapidSubject: value.VAPID_SUBJECT ?? `mailto:${/<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom}`,
    /** Where uploads are stored; null: in `dataDir`. */
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
    /** Number of proxies in a row in front of the server; 0: X-Forwarded-For is ignored. */
    trustProxy: value.TRUST_PROXY,
    /** Requests to the API that one address may make in a second, per instance. */
    requestsPerSecond: value.REQUESTS_PER_SECOND,
    /** Open streams that one address may have, per instance. */
    streamsPerAddress: value.STREAMS_PER_ADDRESS,
    /** How long a CDN may cache answers that are the same for everybody; 0: not at all. */
    publicCacheSeconds: value.PUBLIC_CACHE_SECONDS,
    /** Lets browsers cache the app and what was looked at, for use without a network; off deletes these caches. */
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
      /** First and last day; null: those of the programme, or in the demo the days around today. */
      days:
        value.FESTIVAL_START && value.FESTIVAL_END ? { start: value.FESTIVAL_START, end: value.FESTIVAL_END } : null,
    },
  }
}

function originsOf(style: URL | null, others: string[]): string[] {
  return style ? [...new Set([style.origin, ...others.map((each) => new URL(each).origin)])] : []
}

/** Whether database, mails or uploads are in the data folder. */
export function usesDataFolder({ databaseUrl, smtpUrl, s3 }: Config): boolean {
  return databaseUrl === null || smtpUrl === null || s3 === null
}

/** Whether uploads are on this machine although other instances may share the database: they would not find them. */
export function storesUploadsLocally({ databaseUrl, s3 }: Config): boolean {
  return databaseUrl !== null && s3 === null
}

/** Whether PUBLIC_URL says that other machines can open the site. */
export function isPublic({ publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  return publicUrl !== null && !isLoopback(new URL(publicUrl).hostname)
}

/** Whether merchants on other machines get paid features for nothing. */
export function givesAwayInPublic({ payments, publicUrl }: Config): boolean {
  return payments.provider === 'test' && isPublic({ publicUrl })
}

/** The log of deleted accounts, outside of the database, so that a restored backup does not bring them back. */
export function deletionsOf({ dataDir, s3 }: Config): IdLog {
  return createIdLog({ file: join(dataDir, 'deletions.log'), s3, prefix: 'deletions/' })
}

/** Where the secret of the installation and its previous one are found. */
export function secretPlaceOf({ secretKey, oldSecretKey, dataDir, databaseUrl }: Config): SecretPlace {
  return { secretKey, oldSecretKey, dataDir, embedded: databaseUrl === null }
}

function sentence(issue: z.core.$ZodIssue): string {
  const name = String(issue.path[0])
  if (issue.code === 'invalid_value') return `${name} must be one of ${issue.values.join(', ')}.`
  return `${name} ${issue.message}.`
}

/** The site's origin on this machine without PUBLIC_URL. All links use the same one, because logins belong to an origin. */
export function ownOrigin({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  return `http://${isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`
}
