import { numberIn } from '../../kit/server/csv-table.ts'
import { type Position } from '../../kit/shared/geo.ts'
import { unfitForName, withoutInvisible } from '../../kit/shared/input.ts'
import { type FileRow } from './import-file.ts'
import { idMaxLength, idOf, identityOf, type Identity } from './import-identity.ts'
import { cantonOfPostcode, OPENING_HOURS_MAX_LENGTH, parseOpeningHours } from './opening-hours.ts'
import type * as store from './store.ts'

export interface ImportOptions {
  /** Reports only; writes nothing. */
  dryRun?: boolean
  /** Name of the list; ids are unique within it. Default: guessed from the columns. */
  source?: string
  /** Canton of all rows. Default: by each postcode, else BS. */
  canton?: string
  /** Name of the import in the log. */
  fileName?: string
}

export interface Remark {
  kind: 'refused' | 'note'
  /** "line 3" or "feature 3". */
  place: string
  name: string
  text: string
  /** How many later rows have the same remark. */
  more?: number
}

export type Merchant = store.ImportedRow
export interface ReadRow extends Omit<Identity, 'source_id'> {
  row: FileRow
  name: string
  merchant: Merchant
}

/** Collects remarks about rows; `noteOnce` counts equal notes. */
export class Remarks {
  readonly refused = new Set<FileRow>()
  private readonly list: (Remark & { at: number })[] = []
  private readonly common = new Map<string, Remark>()
  private readonly order: Map<FileRow, number>

  constructor(rows: FileRow[]) {
    this.order = new Map(rows.map((row, index) => [row, index]))
  }

  refuse(row: FileRow, name: string, text: string) {
    this.refused.add(row)
    this.add({ kind: 'refused', place: row.place, name, text }, row)
  }

  note(row: FileRow, name: string, text: string) {
    this.add({ kind: 'note', place: row.place, name, text }, row)
  }

  noteOnce(row: FileRow, name: string, text: string) {
    const earlier = this.common.get(text)
    if (earlier) earlier.more = (earlier.more ?? 0) + 1
    else this.common.set(text, this.add({ kind: 'note', place: row.place, name, text }, row))
  }

  inOrder(): Remark[] {
    return this.list.toSorted((a, b) => a.at - b.at).map(({ at: _, ...remark }) => remark)
  }

  private add(remark: Remark, row: FileRow): Remark {
    const placed = { ...remark, at: this.order.get(row)! }
    this.list.push(placed)
    return placed
  }
}

/** Names of fields in lists; the first one that a row has counts. */
export const names = {
  status: ['betriebsstatus'],
  street: ['strasselang', 'addr:street', 'street', 'strasse', 'straße', 'address', 'adresse'],
  houseNumber: ['hnr', 'hausnummer', 'hausnr', 'addr:housenumber', 'housenumber'],
  postcode: ['plz', 'postleitzahl', 'addr:postcode', 'postcode', 'zip'],
  town: ['ort', 'ortschaft', 'addr:city', 'city', 'stadt', 'gemeinde'],
  hours: ['opening_hours', 'open_hours', 'oeffnungszeit', 'oeffnungszeiten', 'öffnungszeiten', 'öffnungszeit'],
  phone: ['phone', 'contact:phone', 'telefon', 'telefonnummer', 'tel'],
  website: ['website', 'contact:website', 'url', 'webseite', 'web', 'homepage'],
}

/** Why a row is refused; the report shows "line 3 (Bar Nord): refused: " and this text. */
class Refused extends Error {}

export function readRows(rows: FileRow[], options: ImportOptions, remarks: Remarks): ReadRow[] {
  const firstWith = new Map<string, FileRow>()
  return rows.flatMap((row) => {
    const rawName = nameIn(row)
    try {
      if (row.fault) throw new Refused(row.fault)
      const notes: string[] = row.note ? [row.note] : []
      const commonNotes: string[] = []
      const { merchant, ...identity } = readMerchant(row, options, notes, commonNotes)
      const first = firstWith.get(merchant.source_id)
      if (first)
        throw new Refused(
          `has the same ${idOf(row) ? 'id' : 'name and place'} as ${first.place} (${merchant.source_id})`,
        )
      firstWith.set(merchant.source_id, row)
      for (const note of notes) remarks.note(row, rawName, note)
      for (const note of commonNotes) remarks.noteOnce(row, rawName, note)
      return [{ row, name: rawName, merchant, ...identity }]
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      remarks.refuse(row, rawName, error.message)
      return []
    }
  })
}

function readMerchant(row: FileRow, options: ImportOptions, notes: string[], commonNotes: string[]) {
  const business_name = readName(row, notes)
  if (/geschlossen|aufgehoben|closed/i.test(textIn(row, names.status))) throw new Refused('has closed for good')
  const position = readPosition(row, notes)
  const street = textIn(row, names.street)
  const houseNumber = textIn(row, names.houseNumber)
  const postcode = textIn(row, names.postcode).replace(/^CH-|\.0$/g, '')
  const town = textIn(row, names.town)
  const address = joined([joined([street, street && houseNumber], ' '), joined([postcode, town], ' ')], ', ')
  const postcodeAnywhere = postcode || (/(?:^|[\s,])(\d{4}) \p{L}/u.exec(address)?.[1] ?? '')
  // the Uetliberg lies in Zurich but has the postcode of another place
  const canton = options.canton ?? cantonOfPostcode(postcodeAnywhere) ?? (town === 'Zürich' ? 'ZH' : 'BS')
  const open_hours = readHours(row, notes)
  const parsed = open_hours === null ? null : parseOpeningHours(open_hours, { ...(position ?? basel), canton })
  if (parsed && !parsed.known)
    commonNotes.push(`“${printable(open_hours!, 80)}” shows as “Hours unknown”. ${parsed.reason}`)
  const { source_id, ...identity } = readIdentity(row, options, { business_name, position, address })
  const merchant: Merchant = {
    source_id,
    business_name,
    address: upTo(200, 'address', address, notes),
    category: readCategory(row, commonNotes),
    phone: readPhone(row, notes),
    website: readWebsite(row, notes),
    open_hours,
    hours_known: parsed?.known ?? false,
    canton,
    latitude: position?.latitude ?? null,
    longitude: position?.longitude ?? null,
  }
  return { merchant, ...identity }
}

function readIdentity(row: FileRow, { source }: ImportOptions, merchant: Parameters<typeof identityOf>[2]): Identity {
  const key = idOf(row)?.key
  const id = key === undefined ? '' : textIn(row, [key])
  if (id.length > idMaxLength) throw new Refused(`its id has ${id.length} characters, ${idMaxLength} at most`)
  return identityOf(row, source, merchant)
}

const basel: Position = { latitude: 47.5596, longitude: 7.5886 }
export const nameKeys = ['name', 'betriebsname', 'business_name', 'firma']

/** The name as written, for the report; a branch without a name has its brand. */
function nameIn({ fields }: FileRow): string {
  return [...nameKeys, 'brand'].map((key) => fields.get(key)).find((value) => value !== undefined) ?? ''
}

function readName(row: FileRow, notes: string[]): string {
  const name = withoutInvisible(textIn(row, nameKeys) || textIn(row, ['brand']))
  const unfit = unfitForName(name)
  if (unfit === 'unreadable') throw new Refused('its name cannot be read')
  if (unfit === 'invisible') {
    const id = idOf(row)
    throw new Refused(id ? `has no name (${id.key}: ${id.id})` : 'has no name')
  }
  if (!nameKeys.some((key) => row.fields.has(key))) notes.push('has no name: its brand is taken')
  const { length } = [...name]
  if (length > 80) throw new Refused(`its name has ${length} characters, 80 at most`)
  if (/\uFFFD|[ÃÂ][\u0080-\u00BF]|â€/.test(name)) notes.push('its name has letters that a wrong encoding has spoilt')
  return name
}

/** The first of these fields that the row has, in one line; '': none. */
function textIn({ fields }: FileRow, keys: string[]): string {
  const key = keys.find((each) => fields.has(each))
  if (key === undefined) return ''
  const text = fields.get(key)!.replace(/\s+/g, ' ').trim()
  if (unreadable.test(text)) throw new Refused(`its ${key} holds control characters`)
  return text
}

/** Control characters, broken surrogates, and marks that change the direction of text. */
const unreadable = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u

const joined = (parts: string[], separator: string) => parts.filter((part) => part !== '').join(separator)

function upTo(max: number, what: string, text: string, notes: string[]): string | null {
  const { length } = [...text]
  if (length <= max) return text || null
  notes.push(`its ${what} has ${length} characters, ${max} at most: left out`)
  return null
}

/** Opening hours as written, whether they can be read or not. */
function readHours({ fields }: FileRow, notes: string[]): string | null {
  const text = names.hours.map((key) => fields.get(key)?.trim()).find((value) => value !== undefined) ?? ''
  if (unreadable.test(text.replace(/\s/g, ''))) throw new Refused('its opening hours hold control characters')
  return upTo(OPENING_HOURS_MAX_LENGTH, 'opening hours', text, notes)
}

function readPhone(row: FileRow, notes: string[]): string | null {
  const [phone = ''] = textIn(row, names.phone).split(';')
  if (phone === '' || /^\+?[\d\s()/.\-–]{3,40}$/.test(phone)) return phone.trim() || null
  notes.push(`its phone “${printable(phone, 40)}” is no number: left out`)
  return null
}

function readWebsite(row: FileRow, notes: string[]): string | null {
  const text = textIn(row, names.website)
  if (text === '') return null
  const url = URL.parse(/^www\./i.test(text) ? `https://${text}` : text)
  if (url && /^https?:$/.test(url.protocol) && url.hostname.includes('.') && !url.username && url.href.length <= 500)
    return url.href
  notes.push(`its website “${printable(text, 60)}” is no web address: left out`)
  return null
}

// ── Position ────────────────────────────────────────────────────────────────────────────────────────────────────────

function readPosition({ point }: FileRow, notes: string[]): Position | null {
  const isBlank = (value: unknown) => (typeof value === 'string' ? value.trim() === '' : (value ?? null) === null)
  if (!point || (isBlank(point.latitude) && isBlank(point.longitude))) return null
  if (isBlank(point.latitude) || isBlank(point.longitude)) {
    notes.push(`has no ${isBlank(point.latitude) ? 'latitude' : 'longitude'}: taken without a location`)
    return null
  }
  const given = { latitude: degrees(point.latitude), longitude: degrees(point.longitude) }
  if (given.latitude === 0 && given.longitude === 0) {
    notes.push('lies at 0, 0, which means nowhere: taken without a location')
    return null
  }
  const swapped = { latitude: given.longitude, longitude: given.latitude }
  if (isInSwitzerland(given)) return given
  if (isInSwitzerland(swapped)) {
    notes.push('had latitude and longitude swapped: put right')
    return swapped
  }
  const { latitude, longitude } = given
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) {
    const isNational = [latitude, longitude].some((value) => value > 2_400_000 && value < 2_900_000)
    const hint = isNational ? '; Swiss national coordinates must be turned into WGS 84 first' : ''
    throw new Refused(`its coordinates ${longitude}, ${latitude} are no degrees${hint}`)
  }
  notes.push(`lies outside Switzerland (latitude ${latitude}, longitude ${longitude})`)
  return given
}

function degrees(value: unknown): number {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : 'a list'
  const number = numberIn(text)
  if (Number.isNaN(number)) throw new Refused(`its coordinate “${printable(text, 20)}” is no number`)
  return number
}

/** True inside the box around Switzerland. A point with swapped numbers is never inside. */
function isInSwitzerland({ latitude, longitude }: Position): boolean {
  return latitude >= 45.8 && latitude <= 47.9 && longitude >= 5.9 && longitude <= 10.6
}

// ── Category ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Words for each category in Zurich's list of licences, Basel's open data and OpenStreetMap. */
const categoryWords: Record<string, string> = {
  food: `food | essen | gastwirtschaft | kleinwirtschaft | nebenwirtschaft | aussenliegende saisonwirtschaft | ausgabestelle |
    patentbefreit | kantine / mensa | take away | takeaway | restaurant | café | cafe | fast_food | food_court | canteen |
    ice_cream | bäckerei | bakery | pastry | konditorei | confectionery | chocolate | deli | butcher | cheese`,
  drinks: 'drinks | getränke | bar | pub | biergarten | alcohol | wine | beverages | coffee | tea | brewery | winery',
  nightlife: 'nightlife | dancing / disco | cabaret / nachtclub | club | nightclub | stripclub | casino',
  shopping: `shopping | einkaufen | kleinverkaufsstelle | handelsbetrieb | handelsbetrieb + kleinverkaufsstelle | kiosk |
    tankstelle | fuel | marketplace | market | grocery | laden`,
  culture: `culture | kultur | veranstaltungsraum | museen, ausstellungen, sammlungen | konzerte, theater, vorträge |
    bibliothek | library | museum | gallery | theater | theatre | cinema | kino | arts_centre | concert_hall |
    music_venue | events_venue`,
  wellness: `wellness | pharmacy | apotheke | chemist | medical_supply | hairdresser | beauty | cosmetics | massage | spa |
    sauna | public_bath | fitness_centre | swimming_pool | hallenbad | gartenbad | yoga`,
  other: 'other | anderes',
}
const categoryOfWord = new Map(
  Object.entries(categoryWords).flatMap(([category, words]) =>
    words.split('|').map((word) => [word.trim(), category] as const),
  ),
)
export const categoryKeys = [
  'category',
  'kategorie',
  'kind',
  'betriebsart',
  'amenity',
  'shop',
  'leisure',
  'tourism',
  'craft',
  'cat',
]

function readCategory(row: FileRow, commonNotes: string[]): string {
  const words = categoryKeys.flatMap((key) => textIn(row, [key]).toLowerCase().split(';')).map((word) => word.trim())
  const known = words.map((word) => categoryOfWord.get(word)).find((category) => category !== undefined)
  if (known) return known
  if (row.fields.has('shop')) return 'shopping'
  const word = words.find((each) => each !== '')
  if (word) commonNotes.push(`“${printable(word, 60)}” is none of our categories: shown under other`)
  return 'other'
}

/** Text without control characters, which a terminal would obey; at most `max` letters. */
export function printable(text: string, max: number): string {
  const characters = [...text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()]
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : characters.join('')
}
