import { z } from 'zod'
import { readEmail } from './email-address.ts'
import { parseUrl } from './parse-url.ts'

/**
 * Text from outside. It is stored unchanged or refused: NUL, which PostgreSQL cannot store, and lone surrogates, which UTF-8 cannot hold,
 * are refused. Lengths count characters (code points).
 */
export function text({ min = 0, max }: { min?: number; max: number }) {
  const checked = z.string().superRefine((value, ctx) => {
    if (value.includes('\0') || !value.isWellFormed()) return ctx.addIssue(fieldIssue('unreadable'))
    const length = value.length > max ? [...value].length : value.length
    if (length > max) return ctx.addIssue(fieldIssue('too_long', { min, max }))
    if (min > 0 && value.trim().length === 0) return ctx.addIssue(fieldIssue('empty', { min, max }))
    if (min > 1 && [...value.trim()].length < min) return ctx.addIssue(fieldIssue('too_short', { min }))
  })
  return checked.meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max })
}

/** Text without line breaks, for names and the like: it may be put into a mail header. */
export function line(length: { min?: number; max: number }) {
  const checked = text(length).superRefine((value, ctx) => {
    if (/[\u0001-\u001f\u007f\u2028\u2029]/.test(value)) ctx.addIssue(fieldIssue('one_line'))
  })
  return checked.meta({ ...(length.min ? { minLength: length.min } : {}), maxLength: length.max })
}

/**
 * A name for headlines. It has a visible character, no bidi controls, which would turn the text after it, and no stacks of combining
 * marks, which would cover other lines.
 */
export function nameOf(length: { max: number }) {
  const checked = line({ min: 1, ...length }).superRefine((value, ctx) => {
    const wrong = value.trim() && unfitForName(value)
    if (wrong)
      ctx.addIssue(wrong === 'invisible' ? fieldIssue('empty', { min: 1, ...length }) : fieldIssue('unreadable'))
  })
  return checked.meta({ minLength: 1, maxLength: length.max })
}

/** The name of a person or account. Invisible characters are refused: with them it could pass for another name. */
export function properName(length: { max: number }) {
  const checked = nameOf(length).superRefine((value, ctx) => {
    if (!unfitForName(value) && withoutInvisible(value) !== value) ctx.addIssue(fieldIssue('name_invisible'))
  })
  return checked.meta({ minLength: 1, maxLength: length.max })
}

/** Removes invisible characters, but for the joiners within an emoji. */
export function withoutInvisible(text: string): string {
  return text.replace(/(\p{RGI_Emoji})|[\p{Default_Ignorable_Code_Point}\p{Cf}\u0080-\u009F\u2800]/gv, '$1')
}

/** Why a text cannot be a name; null: it can. */
export function unfitForName(text: string): 'invisible' | 'unreadable' | null {
  if (!canBeSeen(text)) return 'invisible'
  return /[\u202A-\u202E\u2066-\u2069]|\p{M}{5}/u.test(text) ? 'unreadable' : null
}

/** True where a text has a visible letter, number or sign. Hangul fillers and the empty Braille pattern are invisible. */
export function canBeSeen(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replace(/[\u115F\u1160\u2800\u3164\uFFA0]/g, ''))
}

/** A new email address, in the form that is stored and mailed. */
export function email() {
  const checked = text({ max: 200 }).transform((value, ctx) => {
    const read = readEmail(value)
    if (typeof read !== 'string') return read.email
    ctx.addIssue(fieldIssue(!value.trim() ? 'required' : read === 'confusing' ? 'email_confusing' : 'email'))
    return z.NEVER
  })
  return checked.meta(emailMeta)
}

/** A typed email address for looking up an account: older accounts may have addresses that `email` would refuse. */
export function typedEmail() {
  const checked = text({ max: 200 }).superRefine((value, ctx) => {
    if (!value.trim()) ctx.addIssue(fieldIssue('required'))
    else if (!/^[^\s@<>()[\]",;:\\\p{Cc}\p{Cf}]+@[^\s@<>()[\]",;:\\\p{Cc}\p{Cf}]+$/u.test(value))
      ctx.addIssue(fieldIssue('email'))
  })
  return checked.meta(emailMeta)
}

const emailMeta = { format: 'email', minLength: 3, maxLength: 200 }

/** A web address, which becomes a link: http(s) only. */
export const webAddress = (max: number) =>
  z.preprocess(
    withScheme,
    line({ max }).superRefine((value, ctx) => {
      if (!/^https?:\/\/[^\s/]\S*$/i.test(value) || !parseUrl(value)) ctx.addIssue(fieldIssue('web_address'))
    }),
  )

/** Adds `https://` to a host without a scheme, such as "goldenes-fass.ch". Other values stay as typed. */
function withScheme(value: unknown): unknown {
  const isHost = typeof value === 'string' && /^\s*[^\s/:@.]+(\.[^\s/:@.]+)+(:\d+)?([/?#].*)?$/.test(value)
  return isHost ? `https://${value.trim()}` : value
}

/** A day as `YYYY-MM-DD`, from the year 1000: PostgreSQL has no year 0, and 0026 is a typing error. */
export const isDay = (value: string) => /^[1-9]\d{3}-\d\d-\d\d$/.test(value)

/** In a body '' and null count as absent. */
export function absentWhenEmpty<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (value === '' || value === null ? undefined : value), schema)
}

/** An optional body value; '' or null clears it. */
export function emptied<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (value === '' ? null : value), schema.nullable().optional())
}

/** A number in a body, as number or text: `12.5` or `"12.5"`. */
export function bodyNumber(min: number, max: number, kind: 'any' | 'integer' = 'any') {
  return kind === 'any'
    ? decimal(min, max).meta({ override: { type: 'number', minimum: min, maximum: max } })
    : integer(min, max).meta({ override: { type: 'integer', minimum: min, maximum: max } })
}

/** A boolean in a body; absent means false. */
export const bodyFlag = () => absentWhenEmpty(z.boolean().default(false))

/** An issue for `addIssue`. Its text is `fields.<key>` in the message catalogues. */
export function fieldIssue(key: string, values: Record<string, string | number> = {}) {
  return { code: 'custom' as const, params: { key, values } }
}

/** In a query '' counts as absent. */
function orAbsent<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema.optional())
}

export const queryText = (max: number) => orAbsent(text({ max }))

/** A plain decimal number: not `1e309`, `NaN`, `0x10` or `Infinity`. */
export function queryNumber(min: number, max: number) {
  return orAbsent(decimal(min, max)).meta({ override: { type: 'number', minimum: min, maximum: max } })
}

function queryInteger(min: number, max: number) {
  return orAbsent(integer(min, max)).meta({ override: { type: 'integer', minimum: min, maximum: max } })
}

const integer = (min: number, max: number) =>
  decimal(min, max).refine(Number.isInteger, { params: { key: 'integer', values: {} } })

function decimal(min: number, max: number) {
  return z.union([z.string(), z.number()]).transform((value, ctx) => {
    const number = /^[+-]?\d{1,12}(\.\d{1,18})?$/.test(String(value)) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    ctx.addIssue(Number.isNaN(number) ? fieldIssue('number') : fieldIssue('range', { min, max }))
    return z.NEVER
  })
}

const booleans: Record<string, boolean> = {
  true: true,
  '1': true,
  on: true,
  yes: true,
  false: false,
  '0': false,
  off: false,
  no: false,
}

/** `true` or `false`, also as the text of a form field. */
export function bodyBoolean() {
  return z
    .union([z.string(), z.boolean()])
    .transform((value, ctx) => {
      const answer = booleans[String(value).toLowerCase()]
      if (answer === undefined) ctx.addIssue(fieldIssue('boolean'))
      return answer ?? z.NEVER
    })
    .meta({ override: { type: 'boolean' } })
}

/** `true`/`false`, `1`/`0`, `on`/`off` (`on` is a ticked box) or `yes`/`no`. Absent means false. */
export function queryBoolean() {
  return orAbsent(bodyBoolean())
    .transform((value) => value ?? false)
    .meta({ override: { type: 'boolean', default: false } })
}

export function queryChoice<const T extends readonly [string, ...string[]]>(choices: T) {
  return orAbsent(z.enum(choices))
}

/** Degrees. */
export interface BoundingBox {
  west: number
  south: number
  east: number
  north: number
}

/** A rectangle on the map as `west,south,east,north`. */
export function queryBox() {
  return orAbsent(
    z
      .string()
      .max(200)
      .transform((value, ctx): BoundingBox => {
        const sides = value
          .split(',')
          .map((side) => (/^-?\d{1,3}(\.\d{1,18})?$/.test(side) ? Number(side) : Number.NaN))
        const [west, south, east, north] = sides as [number, number, number, number]
        if (
          sides.length !== 4 ||
          sides.some(Number.isNaN) ||
          !(Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90 && Math.abs(north) <= 90) ||
          west > east ||
          south > north
        ) {
          ctx.addIssue(fieldIssue('bbox'))
          return z.NEVER
        }
        return { west, south, east, north }
      }),
  ).meta({
    description: 'west,south,east,north in degrees; wins over radius',
    override: { type: 'string', maxLength: 200 },
  })
}

/** A UUID in a path. It is not checked here: the rule answers 404 for an unknown or malformed id. */
export const pathId = z.string().meta({ format: 'uuid', maxLength: 36 })

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(value: string): boolean {
  return uuid.test(value)
}

/** Paging of every list: `limit` 1–100 (default 20), `offset` ≤ 1,000, `after` an opaque cursor. */
export const pageQuery = {
  limit: queryInteger(1, 100),
  offset: queryInteger(0, 1000),
  after: queryText(500),
}
export const defaultPageSize = 20
/** Totals are exact up to this many rows; lists with more send `X-Total-Capped: true`. */
export const totalCap = 1000
