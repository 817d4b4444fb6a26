import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { compileFunction, createContext, Script } from 'node:vm'
import type { opening_hours as LibraryHours } from 'opening_hours'

/** Place of a business: decides public holidays, language ("Di" is Dienstag or dimanche) and sunset. */
export interface Place {
  /** Degrees north, WGS 84. */
  latitude: number
  /** Degrees east, WGS 84. */
  longitude: number
  /** Two-letter Swiss canton code ("BS"). Any other value knows only the holidays of the whole country. */
  canton: string
}

/** The result of reading a text. `reason` is an English sentence for people. */
export type ParsedOpeningHours = { known: true; normalised: string } | { known: false; reason: string }

/** From opening (included) to closing (excluded). */
export interface OpenInterval {
  opens_at: Temporal.Instant
  closes_at: Temporal.Instant
}

/** Longest text that is read, in UTF-16 units; the normalised text is at most as long. */
export const OPENING_HOURS_MAX_LENGTH = 500

/**
 * Reads an OpenStreetMap opening_hours text (https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification).
 * Sloppy writing is accepted if it has only one meaning ("mo-fr: 10.00–18 Uhr"); `normalised` is the tidy spelling. Hours are
 * unknown if the text cannot be read, if people would read it differently from the grammar, or if it never says for certain
 * that it is open ("by appointment", `unknown`, a comment without `open`, a bare "20:00+", "PH off" alone). "off" alone is
 * known: closed until further notice. Never throws.
 */
export function parseOpeningHours(text: string, place: Place): ParsedOpeningHours {
  return readHours(text, place)
}

/**
 * Open intervals within [from, from + days × 24 h], in order, touching ones merged; [] for unknown hours.
 *
 * - Times are those of the clock in Zurich; intervals are moments. Round the clock is one interval.
 * - A night belongs to the day it began: in "Mo-Sa 18:00-02:00; Su off" Saturday ends on Sunday at 02:00.
 * - Spring, when 02:00–03:00 does not exist: a time in it is the moment of the jump. "20:00-02:30" closes at 03:00 CEST,
 *   "02:00-03:00" does not happen.
 * - Autumn, when 02:00–03:00 happens twice: a time in it is its first occurrence (as in RFC 5545, 3.3.5). "20:00-02:30"
 *   closes at 02:30 CEST and does not open again at 02:00 CET; "20:00-04:00" lasts nine hours.
 * - Open end: "18:00-22:00+" is open until 22:00. What follows, like every `unknown` stretch, does not count as open.
 * - Public holidays matter only to texts that name them (PH). The library's table is right for BS, BL and ZH. It takes AG as
 *   one (1 May and the Catholic days everywhere, while the law has them by district) and knows no half days (SO, 1 May).
 * - School holidays (SH) are unknown for FR, GE, GR, NE, TI, VD and VS.
 */
export function expandOpeningHours(text: string, place: Place, from: Temporal.Instant, days: number): OpenInterval[] {
  const hours = readHours(text, place)
  if (!hours.known) return []
  const until = from.add({ hours: 24 * days })
  const [firstMs, lastMs] = [from.epochMilliseconds, until.epochMilliseconds]
  const merged: { opensMs: number; closesMs: number }[] = []
  for (const wall of openWallIntervals(hours, wallMsAt(firstMs) - MARGIN_MS, wallMsAt(lastMs) + MARGIN_MS)) {
    const opensMs = Math.max(epochMsOfWall(wall.opens), firstMs)
    const closesMs = Math.min(epochMsOfWall(wall.closes), lastMs)
    if (opensMs >= closesMs) continue
    const last = merged.at(-1)
    if (last && opensMs <= last.closesMs) last.closesMs = closesMs
    else merged.push({ opensMs, closesMs })
  }
  return merged.map(({ opensMs, closesMs }) => ({
    opens_at: opensMs === firstMs ? from : Temporal.Instant.fromEpochMilliseconds(opensMs),
    closes_at: closesMs === lastMs ? until : Temporal.Instant.fromEpochMilliseconds(closesMs),
  }))
}

/**
 * The canton of a Swiss postcode around the festival: Basel and its valleys (40xx, 41xx), the city of Zurich (80xx); null
 * elsewhere, for postcodes do not keep to the borders of cantons. (4052 and 4053 reach a few houses into BL, which has
 * the same holidays.) Source: swisstopo, official directory of towns.
 */
export function cantonOfPostcode(postcode: string): string | null {
  if (/^(?:41(?:08|12|14|15|16|18|43|45|46))$/.test(postcode)) return 'SO'
  if (/^(?:40(?:40|42))$/.test(postcode)) return 'BL' // Münchenstein
  if (/^(?:40\d\d|4125|4126)$/.test(postcode)) return 'BS'
  if (/^41\d\d$/.test(postcode)) return 'BL'
  if (/^80\d\d$/.test(postcode)) return 'ZH'
  return null
}

// ── Reading a text ──────────────────────────────────────────────────────────────────────────────────────────────────

/** `dayStartsMs`: the evaluator's days begin so long after midnight, see startOfBusinessDay. */
type ReadHours =
  { known: true; normalised: string; evaluator: LibraryHours; dayStartsMs: number } | { known: false; reason: string }

function readHours(text: string, place: Place): ReadHours {
  if (typeof text !== 'string' || text.trim() === '') return unknownBecause('No opening hours are given.')
  if (text.length > OPENING_HOURS_MAX_LENGTH) return unknownBecause(TOO_LONG)
  if (UNREADABLE.test(text)) return unknownBecause('Opening hours hold unreadable characters.')
  const words = text.trim().replace(DOUBLED_SEPARATOR, (_all, comment?: string) => comment ?? '')
  return readWords(words, place)
}

function readWords(text: string, place: Place): ReadHours {
  const asWritten = askLibrary(text, place)
  if ('refusal' in asWritten) return unknownBecause(asWritten.refusal)
  const doubt = doubtAbout(asWritten.normalised, asWritten.warnings)
  if (doubt) return unknownBecause(doubt)

  // Evaluate the tidy spelling, which pages show: it must be readable too, and normalise to itself.
  const { normalised } = asWritten
  if (normalised.length > OPENING_HOURS_MAX_LENGTH) return unknownBecause(TOO_LONG)
  const tidy = normalised === text ? asWritten : askLibrary(normalised, place)
  if ('refusal' in tidy) return unknownBecause(tidy.refusal)
  if (tidy.normalised !== normalised) return unknownBecause('Opening hours are not understood.')

  const dayStarts = startOfBusinessDay(normalised)
  const moved = dayStarts > 0 ? askLibrary(withTimesMoved(normalised, -dayStarts), place) : tidy
  if ('refusal' in moved) return unknownBecause(moved.refusal)
  return { known: true, normalised, evaluator: moved.evaluator, dayStartsMs: dayStarts * MINUTE_MS }
}

function unknownBecause(reason: string): ReadHours {
  return { known: false, reason }
}

const TOO_LONG = `Opening hours have at most ${OPENING_HOURS_MAX_LENGTH} characters.`
/** "Fr.: 10-18" is common, but after a state ("off :. 10-18") the library loops for ever. Comments are left alone. */
const DOUBLED_SEPARATOR = /("[^"]*")|[:.]\s*(?=[:.])/g
const UNREADABLE = /[^\P{C}\s]/u
const SUN = /sun|dawn|dusk/i
const DAY_AFTER_TIME =
  /\d\d:\d\d.*\b(?:Mo|Tu|We|Th|Fr|Sa|Su|PH|SH|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|week|easter|\d{4})\b/
const RANGE = /(?:\d\d:\d\d|sunrise|sunset|dawn|dusk|\))-(?:\d\d:\d\d|sunrise|sunset|dawn|dusk|\()/

const DOUBTS: Record<string, string> = {
  ambiguous_word: 'A word means different things in different languages: use Mo, Tu, We, Th, Fr, Sa, Su.',
  default_state: 'A last rule without a day would overrule all the others: name the days it is about.',
  interpreted_as_year: 'A number reads like a year: write times as 22:00.',
  vague: 'A rule says on which days, but not from when to when.',
}

/** Why a text that fits the grammar is still unknown; undefined: it is not. */
function doubtAbout(normalised: string, warnings: string[]): string | undefined {
  for (const warning of warnings) if (DOUBTS[warning]) return DOUBTS[warning]
  const bare = withoutComments(normalised)
  if (/^(?:off|closed)(?: "")?$/.test(bare)) return undefined

  const chains = ruleChains(bare)
  const rules = chains.flat()
  const open = rules.filter(opens)
  if (!open.some((rule) => !rule.includes('+') || RANGE.test(rule))) {
    return 'Opening hours do not say when it is certainly open.'
  }
  if (rules.some((rule) => DAY_AFTER_TIME.test(rule))) {
    return 'Days follow a time without a separator: put “;” between the rules.'
  }
  if (open.some((rule) => rule.includes('24/7') && (open.length > 1 || RANGE.test(rule)))) {
    return 'Opening hours say 24/7 and other hours as well.'
  }

  if (/[;,]\s*""\s*(?:$|[;,|])/.test(bare)) return DOUBTS['default_state']
  const wrapsFromMorning = [...bare.matchAll(TIME_RANGE)]
    .map(minutesOfRange)
    .some((range) => range.start < DAY_MINUTES / 2 && range.end > DAY_MINUTES)
  if (warnings.includes('without_minutes') && wrapsFromMorning) return 'Write times of day like 08:00-17:00.' // "8-5"

  // "Mo-Fr 08:00-12:00; Mo-Fr 14:00-18:00": by the grammar the second rule replaces the first; people mean both.
  const daysSeen = new Map<string, string>()
  for (const rule of chains.map((chain) => chain[0] ?? '').filter(opens)) {
    const days = rule.replace(/\s*\d\d:\d\d.*/, '')
    if ((daysSeen.get(days) ?? rule) !== rule) return 'The same days stand in two rules: join their hours with “,”.'
    daysSeen.set(days, rule)
  }
  return undefined
}

/** Empties comments, which may hold text that looks like a rule. */
function withoutComments(text: string): string {
  return text.replace(/"[^"]*"/g, '""')
}

/** Rules that replace earlier ones (after `;`) or are their fallback (`||`), each with the rules that add to it (after `,`). */
function ruleChains(bare: string): string[][] {
  return bare.split(/;|\|\|/).map((chain) => chain.split(', ').map((rule) => rule.trim()))
}

function opens(rule: string): boolean {
  return rule !== '' && !/\b(?:off|closed|unknown)\b/.test(rule) && (!rule.includes('""') || /\bopen\b/.test(rule))
}

// ── A night belongs to the day it began ─────────────────────────────────────────────────────────────────────────────

const TIME_RANGE = /(\d\d):(\d\d)(?:-(\d\d):(\d\d))?/g
const DAY_MINUTES = 24 * 60
const MINUTE_MS = 60_000

/**
 * Minutes after midnight at which the days of this text begin, 0 for midnight.
 *
 * A `;` rule overrules earlier ones for its whole calendar day: by the grammar, "Mo-Sa 18:00-02:00; Su off" closes the bar on
 * Saturday at midnight, which nobody means. So if no rule opens before the latest closing time of a night, the text is evaluated
 * with days that begin at that time: all times are moved back by it, and the results forward again. Other texts, and those with
 * sunset, are read by the grammar.
 */
function startOfBusinessDay(normalised: string): number {
  const bare = withoutComments(normalised)
  const rules = ruleChains(bare).flat()
  if (rules.length === 1 || SUN.test(bare) || rules.some((rule) => opens(rule) && !RANGE.test(rule))) return 0
  const ranges = [...bare.matchAll(TIME_RANGE)].map(minutesOfRange)
  const closesLatest = Math.max(0, ...ranges.map((range) => range.end - DAY_MINUTES))
  return ranges.every((range) => range.start >= closesLatest) ? closesLatest : 0
}

/** Moves times in comments too; the moved text is never shown. */
function withTimesMoved(normalised: string, minutes: number): string {
  return normalised.replace(TIME_RANGE, (...match: string[]) => {
    const range = minutesOfRange(match)
    const start = clockTime(range.start + minutes)
    return match[3] === undefined ? start : `${start}-${clockTime(range.end + minutes)}`
  })
}

function minutesOfRange([, startHour, startMinute, endHour, endMinute]: readonly string[]) {
  const start = Number(startHour) * 60 + Number(startMinute)
  if (endHour === undefined) return { start, end: start }
  const end = Number(endHour) * 60 + Number(endMinute)
  return { start, end: end <= start ? end + DAY_MINUTES : end }
}

function clockTime(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

// ── Clock on the wall in Zurich ↔ moments ───────────────────────────────────────────────────────────────────────────

const ZONE = 'Europe/Zurich'
/** More than the clocks ever change, so that nothing is lost at the edges of the horizon. */
const MARGIN_MS = 2 * 60 * MINUTE_MS

/** "Wall" milliseconds: the local time, counted as if it were UTC. */
function wallMsAt(epochMs: number): number {
  const offsetNs = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(ZONE).offsetNanoseconds
  return epochMs + offsetNs / 1e6
}

function epochMsOfWall(wallMs: number): number {
  const wall = Temporal.Instant.fromEpochMilliseconds(wallMs).toZonedDateTimeISO('UTC').toPlainDateTime()
  const zoned = wall.toZonedDateTime(ZONE, { disambiguation: 'earlier' })
  if (zoned.toPlainDateTime().equals(wall)) return zoned.epochMilliseconds
  return (zoned.getTimeZoneTransition('next') ?? zoned).epochMilliseconds // in the gap, 'earlier' stands before the jump
}

function openWallIntervals({ evaluator, dayStartsMs }: ReadHours & { known: true }, fromMs: number, untilMs: number) {
  const moved = (wallMs: number) => new WallDate(wallMs - dayStartsMs)
  try {
    return evaluator
      .getOpenIntervals(moved(fromMs), moved(untilMs))
      .filter(([, , isUnknown]) => !isUnknown)
      .map(([opens, closes]) => ({ opens: opens.getTime() + dayStartsMs, closes: closes.getTime() + dayStartsMs }))
  } catch {
    return [] // for example school holidays beyond the library's tables: unknown, so not open
  }
}

// ── The library ─────────────────────────────────────────────────────────────────────────────────────────────────────

type LibraryAnswer = { evaluator: LibraryHours; normalised: string; warnings: string[] } | { refusal: string }
type SunTimes = Record<'dawn' | 'sunrise' | 'sunset' | 'dusk', Date>
type LibraryConstructor = new (text: string, nominatim: object, options: object) => LibraryHours

/**
 * Most Dates that reading a text may make. Counted, not timed, so that a busy machine gives the same answer. A usual text makes up
 * to 1,000; "24/7 sunrise-sunset" would compute five years of sunsets.
 */
const READING_BUDGET = 10_000
const SUN_COST = 40
/** Shared by all Dates of a reading; `askLibrary` sets it anew for each text. */
let budget = Number.POSITIVE_INFINITY

function spend(dates: number) {
  budget -= dates
  if (budget < 0) throw new Error('Too much work for one text.')
}

/**
 * A Date for the library, whose local time is UTC and whose now is fixed. With the real Date, the library would compute in the
 * zone of the process, with its changes of clocks, and depend on the day it runs.
 */
class WallDate extends Date {
  constructor(...args: number[]) {
    spend(1)
    super(args.length > 1 ? Date.UTC(...(args as [number, number])) : (args[0] ?? Date.UTC(2026, 0, 1)))
  }
}
for (const field of ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds']) {
  for (const verb of field === 'Day' ? ['get'] : ['get', 'set']) {
    Object.defineProperty(WallDate.prototype, verb + field, {
      value: Reflect.get(Date.prototype, `${verb}UTC${field}`),
    })
  }
}

/** Loaded with the first text: with its tables it takes 20 MB. */
let library: LibraryConstructor | null = null

function askLibrary(text: string, place: Place): LibraryAnswer {
  const address = { country_code: 'ch', state: STATE_NAMES[place.canton] }
  // Strings, although the types say numbers: the library ignores numbers, and the sun would set at 18:00.
  const nominatim = { lat: String(place.latitude), lon: String(place.longitude), address }
  const Library = (library ??= loadLibrary())
  try {
    return withinDeadline(() => {
      budget = READING_BUDGET
      const evaluator = new Library(text, nominatim, { mode: 0, locale: LANGUAGES[place.canton] ?? 'de' })
      const normalised = evaluator.prettifyValue()
      return { evaluator, normalised, warnings: evaluator.getStructuredWarnings().map((warning) => warning.type) }
    })
  } catch (refusal) {
    // The library throws sentences with a marker for texts it cannot read, and TypeErrors for unforeseen ones.
    const [read = '', marker] = String(refusal).split(' <--- ')
    const spot = marker && read.trim() ? ` at “${read.trim().slice(-24)}”` : ''
    return { refusal: `Opening hours are not understood${spot}.` }
  } finally {
    budget = Number.POSITIVE_INFINITY
  }
}

/**
 * The library has an endless loop. DOUBLED_SEPARATOR avoids its plain form, but "off : Uhr : Mo" reaches it: this limit stops it
 * after a quarter of a second. Usual texts take milliseconds. `vm` is Node's only way to interrupt running code.
 */
const READING_DEADLINE_MS = 250
const guarded = { script: new Script('work()'), context: createContext({}) as { work?: () => unknown } }

/** Runs `work` within the limit. Tries again if the thread got no CPU: the time of `vm` also runs while it waits. */
function withinDeadline<Answer>(work: () => Answer): Answer {
  guarded.context.work = work
  for (let tries = 1; ; tries++) {
    const before = threadCpuMs()
    try {
      return guarded.script.runInContext(guarded.context, { timeout: READING_DEADLINE_MS }) as Answer
    } catch (error) {
      const starved = threadCpuMs() - before < READING_DEADLINE_MS / 2
      if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT' || !starved || tries === 20) throw error
    }
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Loads the unchanged library (LGPL) as `require` would, but with our Date, our sun times and a silent console. */
function loadLibrary(): LibraryConstructor {
  const path = createRequire(import.meta.url).resolve('opening_hours')
  const suncalc = createRequire(path)('suncalc') as { getTimes: typeof getSunTimes }
  const loaded = { exports: {} }
  const parameters = ['module', 'exports', 'require', 'Date', 'console']
  const run = compileFunction(readFileSync(path, 'utf8'), parameters, { filename: path })
  const silent = { ...console, error() {}, warn() {} } // it would print hostile texts to our log
  run(loaded, loaded.exports, () => ({ getTimes: getSunTimes }), WallDate, silent)
  return loaded.exports as LibraryConstructor

  /** suncalc works with instants, the library with wall times. */
  function getSunTimes(wall: Date, latitude: number, longitude: number): SunTimes {
    spend(SUN_COST)
    const { dawn, sunrise, sunset, dusk } = suncalc.getTimes(
      new Date(epochMsOfWall(wall.getTime())),
      latitude,
      longitude,
    )
    const toWall = (moment: Date) => new WallDate(wallMsAt(moment.getTime()))
    return { dawn: toWall(dawn), sunrise: toWall(sunrise), sunset: toWall(sunset), dusk: toWall(dusk) }
  }
}

/** The library's names of the cantons, for their holidays. (With ISO codes it misses those of FR and TI.) */
const STATE_NAMES: Record<string, string> = {
  AG: 'Aargau',
  AI: 'Appenzell Innerrhoden',
  AR: 'Appenzell Ausserrhoden',
  BE: 'Bern',
  BL: 'Basel-Landschaft',
  BS: 'Basel-Stadt',
  FR: 'Freiburg',
  GE: 'Genf',
  GL: 'Glarus',
  GR: 'Graubünden',
  JU: 'Jura',
  LU: 'Luzern',
  NE: 'Neuenburg',
  NW: 'Nidwalden',
  OW: 'Obwalden',
  SG: 'St. Gallen',
  SH: 'Schaffhausen',
  SO: 'Solothurn',
  SZ: 'Schwyz',
  TG: 'Thurgau',
  TI: 'Tessin',
  UR: 'Uri',
  VD: 'Waadt',
  VS: 'Wallis',
  ZG: 'Zug',
  ZH: 'Zürich',
}

/** Language by canton, default German: decides words that two languages share, such as "Di". */
const LANGUAGES: Record<string, string> = { FR: 'fr', GE: 'fr', JU: 'fr', NE: 'fr', TI: 'it', VD: 'fr', VS: 'fr' }
