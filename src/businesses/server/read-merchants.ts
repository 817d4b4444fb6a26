import { importText, type ImportText } from '../../kit/server/import-text.ts'
import {
  columnKey,
  parseRowFile,
  pointListsOf,
  unreadColumns,
  type FileRow,
  type RowFile,
} from '../../kit/server/row-file.ts'
import { readPosition } from '../../kit/server/row-position.ts'
import { UnreadableFile } from '../../kit/server/unreadable-file.ts'
import { type Position } from '../../kit/shared/geo.ts'
import { unfitForName, withoutInvisible } from '../../kit/shared/input.ts'
import { listedColumns, oneLine, type ImportRemark } from '../../staff/server/import-report.ts'
import { RowRemarks } from '../../staff/server/row-remarks.ts'
import { categoryNamed } from '../category-words.ts'
import { idKeys, idMaxLength, idOf, identityOf, sourceOfRows, type Identity, type ListName } from './import-identity.ts'
import { cantonOfPostcode, OPENING_HOURS_MAX_LENGTH, parseOpeningHours } from './opening-hours.ts'
import type * as store from './store.ts'

export interface ReadOptions extends ListName {
  /** Canton of all rows. Default: by each postcode, else BS. */
  canton?: string | undefined
}

/** The merchants of a file. Plain data, so that a thread can read it. */
export interface MerchantFile {
  format: RowFile['format']
  fileName: string
  /** Name of the list; ids are unique within it. */
  source: string
  /** Number of rows. */
  read: number
  /** About the whole file. */
  notes: ImportText[]
  /** The rows that were understood. */
  rows: ReadRow[]
  /** About single rows. */
  remarks: ImportRemark[]
}

export type Merchant = store.ImportedRow
export interface ReadRow extends Omit<Identity, 'source_id'> {
  place: ImportText
  merchant: Merchant
}

/** Keys of columns (see `columnKey`), by value; of each list the first key that a row has counts. */
const names = {
  name: [
    'name',
    'betriebsname',
    'business name',
    'firma',
    'nom',
    'betrieb',
    'firmenname',
    'bezeichnung',
    'enseigne',
    'raison sociale',
    'company',
    'brand',
  ],
  status: ['betriebsstatus'],
  street: [
    'strasselang',
    'addr street',
    'street',
    'strasse',
    'str',
    'rue',
    'street address',
    'address',
    'adresse',
    'anschrift',
    'voie',
    'strasse nr',
    'strasse und hausnummer',
    'strasse hausnummer',
    'rue et numero',
    'addr full',
  ],
  houseNumber: [
    'hnr',
    'hausnummer',
    'hausnr',
    'haus nr',
    'addr housenumber',
    'housenumber',
    'house number',
    'street number',
    'numero',
    'numero de rue',
    'no de rue',
    'strassennummer',
  ],
  postcode: [
    'plz',
    'postleitzahl',
    'addr postcode',
    'postcode',
    'zip',
    'zip code',
    'zipcode',
    'postal code',
    'postalcode',
    'npa',
    'code postal',
    'codepostal',
    'cp',
  ],
  town: [
    'ort',
    'ortschaft',
    'addr city',
    'city',
    'stadt',
    'gemeinde',
    'town',
    'ville',
    'localite',
    'commune',
    'plz ort',
    'plz und ort',
    'npa localite',
    'npa ville',
    'code postal et ville',
  ],
  hours: [
    'opening hours',
    'open hours',
    'oeffnungszeit',
    'oeffnungszeiten',
    'offnungszeiten',
    'offnungszeit',
    'hours',
    'opening times',
    'horaires',
    'horaire',
    'heures d ouverture',
    'horaires d ouverture',
    'horaire d ouverture',
  ],
  phone: ['phone', 'contact phone', 'telefon', 'telefonnummer', 'tel', 'telephone', 'phone number', 'tel nr'],
  website: [
    'website',
    'contact website',
    'url',
    'webseite',
    'web',
    'homepage',
    'internet',
    'site',
    'site web',
    'site internet',
    'web site',
  ],
  description: ['description', 'beschreibung', 'beschrieb', 'kurzbeschreibung', 'desc'],
}

/** Why a row is refused. */
class Refused extends Error {
  readonly text: ImportText
  constructor(text: ImportText) {
    super(text.key)
    this.text = text
  }
}

/** Run in a thread. @throws `UnreadableFile` */
export async function read(bytes: Uint8Array, options: ReadOptions): Promise<MerchantFile> {
  const known = [...Object.values(names).flat(), ...categoryKeys, ...idKeys]
  return readMerchants(await parseRowFile(bytes, known), options)
}

/** Reads the rows of a file as merchants. @throws `UnreadableFile` for a table without a column of names */
export function readMerchants(file: RowFile, options: ReadOptions): MerchantFile {
  if (file.header && !file.header.some((name) => names.name.includes(columnKey(name)))) {
    const columns = oneLine(file.header.join(', '), 200)
    throw new UnreadableFile(
      `The file has no column "name" or "betriebsname"; its first line says: ${columns}.`,
      importText('fileNoNames', { columns }),
    )
  }
  const remarks = new RowRemarks(file.rows)
  const rows = readRows(file, options, remarks)
  const unread = unreadColumns(file, [
    ...Object.values(names),
    ...categoryKeys.map((key) => [key]),
    idKeys,
    ...pointListsOf(file),
  ])
  const hours = (which: (merchant: Merchant) => boolean) => rows.filter(({ merchant }) => which(merchant)).length
  return {
    format: file.format,
    fileName: options.fileName,
    source: sourceOfRows(
      rows.map(({ merchant }) => merchant),
      options,
    ),
    read: file.rows.length,
    notes: [
      ...file.notes,
      ...listedColumns(unread),
      importText('hoursCounted', {
        understood: hours((each) => each.hours_known),
        unknown: hours((each) => each.open_hours !== null && !each.hours_known),
        absent: hours((each) => each.open_hours === null),
      }),
    ],
    rows,
    remarks: remarks.list(),
  }
}

function readRows(file: RowFile, options: ReadOptions, remarks: RowRemarks): ReadRow[] {
  const firstWith = new Map<string, FileRow>()
  const parsed: ParsedHours = new Map()
  return file.rows.flatMap((row, index) => {
    const title = nameIn(row)
    try {
      if (row.fault) throw new Refused(row.fault)
      const notes: ImportText[] = []
      const commonNotes: ImportText[] = row.note ? [row.note] : []
      const { merchant, ...identity } = readMerchant(row, options, { notes, commonNotes, parsed })
      const first = firstWith.get(merchant.source_id)
      if (first)
        throw new Refused(
          importText('sameAs', { what: idOf(row) ? 'id' : 'place', first: first.place, id: merchant.source_id }),
        )
      firstWith.set(merchant.source_id, row)
      for (const note of notes) remarks.add('note', index, title, note)
      for (const note of commonNotes) remarks.addOnce('note', index, title, note)
      return [{ place: row.place, merchant, ...identity }]
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      remarks.add('refused', index, title, error.text)
      return []
    }
  })
}

/** Whether hours are known, by canton and text: lists repeat them, and each takes a millisecond. */
type ParsedHours = Map<string, boolean>

interface Reading {
  notes: ImportText[]
  /** Said once for all rows that have them. */
  commonNotes: ImportText[]
  parsed: ParsedHours
}

function readMerchant(row: FileRow, options: ReadOptions, { notes, commonNotes, parsed }: Reading) {
  const business_name = readName(row, notes)
  if (/geschlossen|aufgehoben|closed/i.test(textIn(row, names.status))) throw new Refused(importText('closedForGood'))
  const place = readPosition(row)
  if ('fault' in place) throw new Refused(place.fault)
  const { position } = place
  notes.push(...place.notes)
  const street = textIn(row, names.street)
  const houseNumber = textIn(row, names.houseNumber)
  const postcode = textIn(row, names.postcode).replace(/^CH-|\.0$/g, '')
  const town = textIn(row, names.town)
  const missing = [postcode, town].filter((part) => !street.includes(part))
  const address = joined([joined([street, street && houseNumber], ' '), joined(missing, ' ')], ', ')
  if (!position && address === '') commonNotes.push(importText('noPlace'))
  const postcodeAnywhere = postcode || (/(?:^|[\s,])(\d{4}) \p{L}/u.exec(address)?.[1] ?? '')
  // the Uetliberg lies in Zurich but has the postcode of another place
  const canton = options.canton ?? cantonOfPostcode(postcodeAnywhere) ?? (town === 'Zürich' ? 'ZH' : 'BS')
  const open_hours = readHours(row, notes)
  const key = `${canton} ${open_hours}`
  if (open_hours !== null && !parsed.has(key))
    parsed.set(key, parseOpeningHours(open_hours, { ...(position ?? basel), canton }).known)
  const hours_known = open_hours !== null && parsed.get(key)!
  if (open_hours !== null && !hours_known)
    commonNotes.push(importText('hoursUnknown', { text: oneLine(open_hours, 80) }))
  const { source_id, ...identity } = readIdentity(row, options, { business_name, position, address })
  const merchant: Merchant = {
    source_id,
    business_name,
    address: upTo(200, 'address', address, notes),
    description: readDescription(row, notes),
    category: readCategory(row, commonNotes),
    phone: readPhone(row, notes),
    website: readWebsite(row, notes),
    open_hours,
    hours_known,
    canton,
    latitude: position?.latitude ?? null,
    longitude: position?.longitude ?? null,
  }
  return { merchant, ...identity }
}

function readIdentity(row: FileRow, options: ReadOptions, merchant: Parameters<typeof identityOf>[2]): Identity {
  const key = idOf(row)?.key
  const id = key === undefined ? '' : textIn(row, [key])
  if (id.length > idMaxLength) throw new Refused(importText('idTooLong', { n: id.length, max: idMaxLength }))
  return identityOf(row, options, merchant)
}

const basel: Position = { latitude: 47.5596, longitude: 7.5886 }

/** The name as written, for the report; a branch without a name has its brand. */
function nameIn({ fields }: FileRow): string {
  return names.name.map((key) => fields.get(key)).find((value) => value !== undefined) ?? ''
}

function readName(row: FileRow, notes: ImportText[]): string {
  const name = withoutInvisible(textIn(row, names.name))
  const unfit = unfitForName(name)
  if (unfit === 'unreadable') throw new Refused(importText('nameUnreadable'))
  if (unfit === 'invisible') {
    const id = idOf(row)
    throw new Refused(importText('noName', id ? { hasId: 'yes', ...id } : { hasId: 'no', key: '', id: '' }))
  }
  if (names.name.find((key) => row.fields.has(key)) === 'brand') notes.push(importText('brandAsName'))
  const { length } = [...name]
  if (length > 80) throw new Refused(importText('nameTooLong', { n: length, max: 80 }))
  if (/\uFFFD|[ÃÂ][\u0080-\u00BF]|â€/.test(name)) notes.push(importText('nameSpoilt'))
  return name
}

/** The first of these fields that the row has, in one line; '': none. */
function textIn({ fields }: FileRow, keys: string[]): string {
  const key = keys.find((each) => fields.has(each))
  if (key === undefined) return ''
  const text = fields.get(key)!.replace(/\s+/g, ' ').trim()
  if (unreadable.test(text)) throw new Refused(importText('controlCharacters', { column: key }))
  return text
}

/** Control characters, broken surrogates, and marks that change the direction of text. */
const unreadable = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u

const joined = (parts: string[], separator: string) => parts.filter((part) => part !== '').join(separator)

function upTo(max: number, what: 'address' | 'hours', text: string, notes: ImportText[]): string | null {
  const { length } = [...text]
  if (length <= max) return text || null
  notes.push(importText('leftOutLong', { what, n: length, max }))
  return null
}

/** Opening hours as written, whether they can be read or not. */
function readHours({ fields }: FileRow, notes: ImportText[]): string | null {
  const text = names.hours.map((key) => fields.get(key)?.trim()).find((value) => value !== undefined) ?? ''
  if (unreadable.test(text.replace(/\s/g, '')))
    throw new Refused(importText('controlCharacters', { column: 'opening_hours' }))
  return upTo(OPENING_HOURS_MAX_LENGTH, 'hours', text, notes)
}

const descriptionMaxLength = 2000

/** With its line breaks; a long one is cut. */
function readDescription({ fields }: FileRow, notes: ImportText[]): string | null {
  const text = names.description.map((key) => fields.get(key)).find((value) => value !== undefined) ?? ''
  const lines = text
    .split(/\r\n?|\n/)
    .map((line) => withoutInvisible(line.replace(new RegExp(unreadable, 'gu'), ' ')).trim())
  const characters = [...lines.join('\n').trim()]
  if (characters.length <= descriptionMaxLength) return characters.join('') || null
  notes.push(importText('cut', { what: 'description', n: characters.length, max: descriptionMaxLength }))
  return characters.slice(0, descriptionMaxLength).join('').trim()
}

function readPhone(row: FileRow, notes: ImportText[]): string | null {
  const [phone = ''] = textIn(row, names.phone).split(';')
  if (phone === '' || /^\+?[\d\s()/.\-–]{3,40}$/.test(phone)) return phone.trim() || null
  notes.push(importText('badPhone', { text: oneLine(phone, 40) }))
  return null
}

function readWebsite(row: FileRow, notes: ImportText[]): string | null {
  const text = textIn(row, names.website)
  if (text === '') return null
  const url = URL.parse(/^www\./i.test(text) ? `https://${text}` : text)
  if (url && /^https?:$/.test(url.protocol) && url.hostname.includes('.') && !url.username && url.href.length <= 500)
    return url.href
  notes.push(importText('badWebsite', { text: oneLine(text, 60) }))
  return null
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
const categoryKeys = [
  'category',
  'kategorie',
  'categorie',
  'branche',
  'rubrik',
  'secteur',
  'kind',
  'betriebsart',
  'amenity',
  'shop',
  'leisure',
  'tourism',
  'craft',
  'cat',
]

function readCategory(row: FileRow, commonNotes: ImportText[]): string {
  const words = categoryKeys.flatMap((key) => textIn(row, [key]).toLowerCase().split(';')).map((word) => word.trim())
  const known = words.map((word) => categoryOfWord.get(word) ?? categoryNamed(word)).find(Boolean)
  if (known) return known
  if (row.fields.has('shop')) return 'shopping'
  const word = words.find((each) => each !== '')
  if (word) commonNotes.push(importText('unknownKind', { text: oneLine(word, 60) }))
  return 'other'
}
