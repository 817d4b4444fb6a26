import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readSmtpAddress } from '../kit/server/smtp-address.ts'
import { ConfigError, configFromEnvironment, ownOrigin, readConfig } from './config.ts'

const read = (env: Record<string, string>) => readConfig(env, '/srv/festival')

describe('the configuration', () => {
  it('has defaults for everything, which run the demo', () => {
    expect(read({})).toEqual({
      host: '0.0.0.0',
      port: 3000,
      publicUrl: null,
      dataDir: '/srv/festival/data',
      databaseUrl: null,
      databaseReadUrls: [],
      databaseDirectUrl: null,
      databaseConnections: { reading: 6, writing: 4 },
      smtpUrl: null,
      mailFrom: 'Rheinklang <hello@rheinklang.example>',
      secretKey: null,
      serviceWorker: true,
      oldSecretKey: null,
      requireVerifiedEmail: false,
      signupChallenge: 'auto',
      passwordBlocklist: false,
      google: null,
      s3: null,
      payments: { provider: 'test', testCheckout: false, stripe: null, issuer: 'Rheinklang', vat: null },
      trustProxy: 0,
      vapid: null,
      vapidSubject: 'mailto:hello@rheinklang.example',
      requestsPerSecond: 20000,
      streamsPerAddress: 1000,
      publicCacheSeconds: 0,
      logLevel: 'info',
      demoData: true,
      map: { styleUrl: null, packFile: null, origins: [] },
      festival: {
        name: 'Rheinklang',
        edition: '2025',
        zone: 'Europe/Zurich',
        latitude: 47.5596,
        longitude: 7.5886,
        days: null,
      },
    })
  })
  it('uses test payments in the demo, Stripe if its keys are set, and otherwise no payments', () => {
    const DATABASE_URL = 'postgres://user@host/db'
    const stripe = { STRIPE_SECRET_KEY: 'sk_test_0123456789', STRIPE_WEBHOOK_SECRET: 'whsec_old12345, whsec_new12345' }
    expect(read({}).payments.provider).toBe('test')
    expect(read({ DATABASE_URL }).payments.provider).toBeNull()
    const site = { DEMO_DATA: 'off', PUBLIC_URL: 'https://deals.example.ch' }
    expect(read({ DEMO_DATA: 'off' }).payments.provider).toBe('test')
    expect(read({ PUBLIC_URL: site.PUBLIC_URL }).payments.provider).toBe('test')
    expect(read(site).payments.provider).toBeNull()
    expect(read({ ...site, PAYMENTS: 'test' }).payments.provider).toBe('test')
    expect(read({ DATABASE_URL, PAYMENTS: 'test', TEST_PAYMENTS: 'checkout' }).payments).toMatchObject({
      provider: 'test',
      testCheckout: true,
    })
    expect(read({ DATABASE_URL, ...stripe }).payments).toMatchObject({
      provider: 'stripe',
      stripe: { secretKey: 'sk_test_0123456789', webhookSecrets: ['whsec_old12345', 'whsec_new12345'], apiBase: null },
    })
    expect(
      read({ INVOICE_ISSUER: 'Festival | Gasse 1', VAT_ID: 'CHE-1 MWST', VAT_RATE: '8.1' }).payments,
    ).toMatchObject({
      issuer: 'Festival\nGasse 1',
      vat: { id: 'CHE-1 MWST', rate: 8.1 },
    })
  })
  it.each([
    [{ PAYMENTS: 'stripe' }, 'PAYMENTS is stripe, so STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set.'],
    [{ PAYMENTS: 'cash' }, 'PAYMENTS must be one of stripe, test.'],
    [{ STRIPE_SECRET_KEY: 'sk_test_0123456789' }, 'belong together'],
    [{ STRIPE_SECRET_KEY: 'pk_live_0123456789' }, 'must be a secret key of Stripe, which begins with sk_ or rk_.'],
    [{ STRIPE_SECRET_KEY: 'sk_test_x' }, 'STRIPE_SECRET_KEY is cut off or mistyped: after sk_ or rk_, a secret key'],
    [{ STRIPE_WEBHOOK_SECRET: 'whsec_x' }, 'STRIPE_WEBHOOK_SECRET is cut off or mistyped: after whsec_, a secret'],
    [{ STRIPE_API_BASE: 'http://127.0.0.1:1' }, 'for which it would be, is not'],
    [{ DATABASE_URL: 'postgres://user@host/db', TEST_PAYMENTS: 'instant' }, 'TEST_PAYMENTS is set'],
    [{ DEMO_DATA: 'off', PUBLIC_URL: 'https://deals.example.ch', TEST_PAYMENTS: 'instant' }, 'TEST_PAYMENTS is set'],
    [{ VAT_RATE: '8.1' }, 'VAT_ID and VAT_RATE belong together'],
    [{ VAT_ID: 'CHE-1', VAT_RATE: '0' }, 'VAT_RATE must be more than 0.'],
  ])('refuses payments that make no sense: %j', (env, fault) => expect(() => read(env)).toThrow(fault))
  it('treats empty variables as absent and ignores unknown ones', () => {
    expect(read({ PORT: '', DATABASE_URL: '  ', HOME: '/root', LANG: 'x' })).toEqual(read({}))
  })
  it('fills no demo data into the database of DATABASE_URL, unless DEMO_DATA is on', () => {
    const url = 'postgres://u:p@db/festival'
    expect(read({ DATABASE_URL: url }).demoData).toBe(false)
    expect(read({ DATABASE_URL: url, DEMO_DATA: 'on' }).demoData).toBe(true)
    expect(read({ DEMO_DATA: 'off' }).demoData).toBe(false)
  })
  it('requires a confirmed email if mail is sent, and refuses well-known passwords outside the demo', () => {
    const mail = { SMTP_URL: 'smtp://mail', MAIL_FROM: 'a@b.ch' }
    expect(read(mail)).toMatchObject({ requireVerifiedEmail: true, passwordBlocklist: true })
    expect(read({ DATABASE_URL: 'postgres://u:p@db/x' })).toMatchObject({
      requireVerifiedEmail: false,
      passwordBlocklist: true,
    })
    expect(read({ ...mail, REQUIRE_VERIFIED_EMAIL: 'off', PASSWORD_BLOCKLIST: 'off' })).toMatchObject({
      requireVerifiedEmail: false,
      passwordBlocklist: false,
    })
  })
  it.each([
    [{ PORT: '70000' }, 'PORT must be 0 to 65535.'],
    [{ SECRET_KEY: 'x'.repeat(31) }, 'SECRET_KEY must have at least 32 characters.'],
    [{ SECRET_KEY_OLD: 'x'.repeat(32) }, 'SECRET_KEY_OLD is set, and SECRET_KEY, which would take its place, is not.'],
    [
      { SECRET_KEY: 'x'.repeat(32), SECRET_KEY_OLD: 'x'.repeat(32) },
      'SECRET_KEY and SECRET_KEY_OLD are the same: the old one is the one before.',
    ],
    [
      { DATABASE_READ_URL: 'postgres://replica/x' },
      'DATABASE_READ_URL is set, and DATABASE_URL, the primary that it belongs to, is not.',
    ],
    [
      { DATABASE_READ_URL: 'postgres://replica/x http://y' },
      'DATABASE_READ_URL must be the URLs of at most 8 replicas',
    ],
    [{ DATABASE_CONNECTIONS_READING: '1' }, 'DATABASE_CONNECTIONS_READING must be 2 to 100.'],
    [{ PORT: '0x10' }, 'PORT must be a number.'],
    [{ FESTIVAL_ZONE: 'Asia/Tokyo' }, 'FESTIVAL_ZONE must keep Swiss time'],
    [{ PORT: 'http' }, 'PORT must be a number.'],
    [{ PUBLIC_URL: 'festival.ch' }, 'PUBLIC_URL must be an origin such as https://deals.example.ch, without a path.'],
    [
      { PUBLIC_URL: 'https://festival.ch/app' },
      'PUBLIC_URL must be an origin such as https://deals.example.ch, without a path.',
    ],
    [
      { DATABASE_URL: 'mysql://x/y' },
      'DATABASE_URL must be a URL such as postgres://user:password@host:5432/database.',
    ],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.'],
    [{ FESTIVAL_ZONE: 'Basel' }, 'FESTIVAL_ZONE must be a time zone such as Europe/Zurich.'],
    [{ FESTIVAL_LAT: '47' }, 'FESTIVAL_LAT and FESTIVAL_LON belong together: set both or neither.'],
    [{ FESTIVAL_START: '2026-06-19' }, 'FESTIVAL_START and FESTIVAL_END belong together: set both or neither.'],
    [{ FESTIVAL_START: '19 June', FESTIVAL_END: '2026-06-21' }, 'FESTIVAL_START must be a day such as 2026-06-19.'],
    [{ FESTIVAL_START: '2026-06-19', FESTIVAL_END: '2026-06-18' }, 'FESTIVAL_END lies before FESTIVAL_START.'],
    [{ SMTP_URL: 'smtp://mail' }, 'SMTP_URL is set, so MAIL_FROM must say from which address mail is sent.'],
    [{ MAIL_FROM: '@' }, 'MAIL_FROM must be an address such as hello@example.ch or Rheinklang <hello@example.ch>.'],
    [
      { MAIL_FROM: 'a@b.ch, c@d.ch' },
      'MAIL_FROM must be an address such as hello@example.ch or Rheinklang <hello@example.ch>.',
    ],
    [
      { MAIL_FROM: 'Rheinklang <hello>' },
      'MAIL_FROM must be an address such as hello@example.ch or Rheinklang <hello@example.ch>.',
    ],
    [{ PUBLIC_CACHE_SECONDS: '61' }, 'PUBLIC_CACHE_SECONDS must be 60 or less: prices and places change.'],
    [{ REQUESTS_PER_SECOND: '50' }, 'REQUESTS_PER_SECOND must be 100 or more: a festival crowd shares addresses.'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY must have at least 32 characters.'],
    [{ SIGNUP_CHALLENGE: 'never' }, 'SIGNUP_CHALLENGE must be one of auto, always.'],
    [{ PASSWORD_BLOCKLIST: 'x' }, 'PASSWORD_BLOCKLIST must be one of'],
    [{ GOOGLE_CLIENT_ID: 'id' }, 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together: set both or neither.'],
    [{ GOOGLE_ISSUER: 'http://evil.example' }, 'GOOGLE_ISSUER must be an https URL (http only on this machine).'],
    [
      { VAPID_PUBLIC_KEY: `B${'a'.repeat(86)}` },
      'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY belong together: set both or neither.',
    ],
    [
      { VAPID_PUBLIC_KEY: `B${'a'.repeat(86)}`, VAPID_PRIVATE_KEY: 'a'.repeat(43) },
      'VAPID_PUBLIC_KEY is not the key that belongs to VAPID_PRIVATE_KEY.',
    ],
    [{ VAPID_SUBJECT: 'hello@example.ch' }, 'VAPID_SUBJECT must begin with mailto: or https://.'],
    [{ S3_BUCKET: 'Bucket!' }, 'S3_BUCKET must be the name of a bucket.'],
    [{ S3_ENDPOINT: 'https://s3.example.ch', S3_BUCKET: 'festival' }, 'belong together: S3_ACCESS_KEY_ID, S3_SECRET'],
    [{ TRUST_PROXY: 'perhaps' }, 'TRUST_PROXY must be on, off, or how many proxies stand in a row, 9 at most.'],
    [{ MAP_KEY: 'k' }, 'MAP_KEY is set, and MAP_STYLE_URL, for which it would be, is not.'],
    [{ MAP_ORIGINS: 'https://t.ch' }, 'MAP_ORIGINS is set, and MAP_STYLE_URL, for which it would be, is not.'],
    [{ MAP_STYLE_URL: 'https://t.ch/s?k={key}' }, 'MAP_STYLE_URL has a {key} in it, so MAP_KEY must say which.'],
    [
      { MAP_STYLE_URL: 'https://t.ch/s', MAP_KEY: 'k' },
      'MAP_KEY is set, and MAP_STYLE_URL has no {key} where it belongs.',
    ],
    ...[
      'tiles.ch/style.json',
      '/style.json',
      'ftp://t.ch/s',
      'javascript:alert(1)',
      'https://user@t.ch/s',
      'https://:pw@t.ch/s',
      'https://a;script-src/s',
      'https://*/s',
      'http://[::1]/s',
    ].map((url): [object, string] => [{ MAP_STYLE_URL: url }, 'MAP_STYLE_URL must be an address such as https://']),
    [{ MAP_STYLE_URL: 'https://t.ch/{z}/{x}/{y}.png' }, 'MAP_STYLE_URL is the address of tiles'],
    [{ MAP_STYLE_URL: `https://t.ch/${'s'.repeat(1500)}` }, 'MAP_STYLE_URL may have 1500 characters.'],
    [
      { MAP_STYLE_URL: `https://t.ch/${'s'.repeat(1400)}{key}`, MAP_KEY: 'ü'.repeat(200) },
      'MAP_STYLE_URL may have 2000 characters, its key included.',
    ],
    [
      { PUBLIC_URL: 'https://festival.ch', MAP_STYLE_URL: 'http://t.ch/s' },
      'PUBLIC_URL is https, so MAP_STYLE_URL and MAP_ORIGINS must be too',
    ],
    ...['t.ch', 'https://t.ch/path', 'https://*.t.ch', "'unsafe-inline'", 'https://t.ch;script-src', 'data:'].map(
      (origins): [object, string] => [
        { MAP_STYLE_URL: 'https://t.ch/s', MAP_ORIGINS: `https://ok.ch,${origins}` },
        'MAP_ORIGINS must be at most 20 origins with commas between them',
      ],
    ),
  ])('refuses %j with a sentence', (env, sentence) => {
    expect(() => read(env as Record<string, string>)).toThrow(sentence)
  })
  it.each([
    'mail',
    'http://mail.example.ch',
    'smtp:mail.example.ch',
    'smtp://',
    'smtps://user:geheim/pass@mail.example.ch:465',
    'smtps://user:12/geheim@mail.example.ch:465',
    'smtps://user:12?geheim@mail.example.ch:465',
    'smtps://user:12#geheim@mail.example.ch:465',
    'smtps://user:geheim%zz@mail.example.ch:465',
    'smtps://user@mail.example.ch',
    'smtps://:geheim@mail.example.ch',
    'smtps://user:geheim@mail.example.ch:0',
    'smtps://user:geheim@mail.example.ch:99999',
    'smtps://user:geheim@mail.example.ch/path',
    'smtps://user:geheim@mail.example.ch?host=evil.example',
    'smtps://user:ge heim@mail.example.ch',
  ])('refuses SMTP_URL=%s with a sentence that does not contain the password', (SMTP_URL) => {
    const faults = () => read({ SMTP_URL, MAIL_FROM: 'a@b.ch' })
    expect(faults).toThrow(/^SMTP_URL must be an address such as smtps:\/\/user:password@mail\.example\.ch:465;/)
    expect(faults).not.toThrow(/geheim|evil/)
  })
  it.each([
    ['smtp://mail', { host: 'mail', port: 587, secure: false }],
    ['smtps://mail.example.ch', { host: 'mail.example.ch', port: 465, secure: true }],
    ['smtp://[::1]:2525/', { host: '::1', port: 2525, secure: false }],
    [
      'smtps://lena%40example.ch:a%2Fb%3F%23%25@c@mail.example.ch:465',
      { host: 'mail.example.ch', port: 465, secure: true, auth: { user: 'lena@example.ch', pass: 'a/b?#%@c' } },
    ],
    [
      'smtp://mail?requireTLS=true&tls.rejectUnauthorized=false&name=festival.ch',
      {
        host: 'mail',
        port: 587,
        secure: false,
        requireTLS: true,
        name: 'festival.ch',
        tls: { rejectUnauthorized: false },
      },
    ],
  ])('reads SMTP_URL=%s', (SMTP_URL, address) => {
    expect(read({ SMTP_URL, MAIL_FROM: 'a@b.ch' }).smtpUrl).toBe(SMTP_URL)
    expect(readSmtpAddress(SMTP_URL)).toEqual(address)
  })
  it('puts MAP_KEY into the style’s address, and lists the origins of the online map', () => {
    const { map } = read({
      MAP_STYLE_URL: 'https://Tiles.ch:443/{key}/style.json?key={key}',
      MAP_KEY: 'ä/$1',
      MAP_ORIGINS: 'https://fonts.ch, https://tiles.ch https://fonts.ch',
      MAP_PACK: 'packs/basel.pmtiles',
    })
    expect(map).toEqual({
      styleUrl: 'https://tiles.ch/%C3%A4%2F%241/style.json?key=%C3%A4%2F%241',
      packFile: '/srv/festival/packs/basel.pmtiles',
      origins: ['https://tiles.ch', 'https://fonts.ch'],
    })
    expect(read({ MAP_PACK: '/maps/basel.pmtiles' }).map.packFile).toBe('/maps/basel.pmtiles')
  })
})

it.each([
  ['0.0.0.0', 3000, 'http://localhost:3000'],
  ['::', 3000, 'http://localhost:3000'],
  ['127.0.0.1', 8080, 'http://127.0.0.1:8080'],
  ['::1', 8080, 'http://[::1]:8080'],
  ['festival.local', 3000, 'http://festival.local:3000'],
])('with HOST=%s and PORT=%i this machine finds the site at %s', (host, port, origin) => {
  expect(ownOrigin({ host, port })).toBe(origin)
})

it('a settings file that cannot be read is refused with a sentence', () => {
  // a folder, because root can read every file
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  expect(() => configFromEnvironment(folder)).toThrow(new ConfigError(`This system user cannot read "${folder}".`))
})
