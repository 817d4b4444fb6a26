import { createECDH } from 'node:crypto'
import { filledStyleUrl, isLoadableOrigin, paymentsOf, type Settings } from './settings.ts'

/** Time zones that always equal Zurich's. */
const swissTime = ['Europe/Busingen', 'Europe/Vaduz']

/** Whether two keys (P-256, base64url) belong together, as web push needs them. */
function isKeyPair(publicKey: string, privateKey: string): boolean {
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(Buffer.from(privateKey, 'base64url'))
    return pair.getPublicKey().equals(Buffer.from(publicKey, 'base64url'))
  } catch {
    return false
  }
}

/** Settings that are valid alone but not together, one sentence each. */
export function contradictions(value: Settings, given: Record<string, string>): string[] {
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

function contradictionsOfPayments(value: Settings, given: Record<string, string>): string[] {
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

function contradictionsOfMap(value: Settings): string[] {
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
