import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { isProgramFault, UnreadableFile } from '../../../kit/server/unreadable-file.ts'
import { atEvent, importText } from '../../../kit/server/import-text.ts'
import { decodeReferences, markdownOfHtml, plainOfHtml } from './html-text.ts'
import { descriptionOf, isWorthNaming, languagesOf } from './read-schedule-json.ts'
import { minutesOf, notesOfZone, startFault, startOf, type ProgrammeDay } from './read-times.ts'
import { zoneOfFile } from './zone-names.ts'
import type { ReadingOptions, ScheduleFile, ScheduleItem } from './schedule-item.ts'

const parser = new XMLParser({
  ignoreAttributes: false,
  removeNSPrefix: true,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  // decodes numeric references too; files cannot define entities, as DOCTYPE is refused
  htmlEntities: true,
  isArray: (name) => ['day', 'room', 'event', 'person'].includes(name),
  // left as raw text for `wordsOf`
  stopNodes: ['*.title', '*.subtitle', '*.abstract', '*.description'],
})

/** Reads schedule XML of frab, pretalx and c3voc. DOCTYPE is refused: it could define entities. @throws `UnreadableFile` */
export function readScheduleXml(text: string, { zone, name }: ReadingOptions): ScheduleFile {
  if (/<!(DOCTYPE|ENTITY)/i.test(text))
    throw new UnreadableFile('The file has a DOCTYPE, which is not needed. Remove it.', importText('fileDoctype'))
  const content = validated(text)
  const root = parsed(content) as { schedule?: Node }
  if (!isNode(root.schedule))
    throw new UnreadableFile(
      'The file is XML but not a schedule: it does not begin with the element “schedule”.',
      importText('fileOtherXml'),
    )
  const conference = isNode(root.schedule['conference']) ? root.schedule['conference'] : {}
  const named = zoneOfFile(textOf(conference['time_zone_name']), zone)
  const change = textOf(conference['day_change'])
  // a day may also hold events without a room
  const found = nodes(root.schedule['day']).flatMap((node) => {
    const day = { date: textOf(node['@date']), start: textOf(node['@start']), end: textOf(node['@end']), change }
    return [
      ...nodes(node['room']).flatMap((room) =>
        nodes(room['event']).map((event) => ({ event, day, room: plainOfHtml(textOf(room['@name'])) })),
      ),
      ...nodes(node['event']).map((event) => ({ event, day, room: '' })),
    ]
  })
  const times = found.map(({ event }) => textOf(event['date']) || textOf(event['start']))
  return {
    format: 'schedule XML',
    source: textOf(conference['acronym']) || name.replace(/\..*$/, ''),
    notes: [...named.notes, ...(textOf(conference['time_zone_name']) ? [] : notesOfZone(times, zone))],
    unread: unreadOf(found.map(({ event }) => event)),
    items: found.map(({ event, day, room }, index) => itemOf(event, { room, day, index, zone: named.zone })),
  }
}

/** Names of elements that hold something and are not read. */
function unreadOf(events: Node[]): string[] {
  const names = new Set<string>()
  for (const event of events)
    for (const [name, value] of Object.entries(event))
      if (!readElements.has(name) && !name.startsWith('@') && isWorthNaming(name) && holdsText(value)) names.add(name)
  return [...names]
}

const readElements = new Set(
  '#text title subtitle abstract description date start duration type track room persons language status'.split(' '),
)
const holdsText = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(holdsText) : String(value ?? '').trim() !== ''

/** The text, valid as XML. @throws `UnreadableFile` */
function validated(text: string): string {
  const valid = XMLValidator.validate(text)
  if (valid === true) return text
  // programmes of hand-made templates hold "Rock & Roll"
  const repaired = text.replace(/&(?!#?\w{1,31};)/g, '&amp;')
  if (repaired !== text && XMLValidator.validate(repaired) === true) return repaired
  if (isCutOff(text, valid.err.msg))
    throw new UnreadableFile(
      'The file ends too early: its XML is incomplete. Export it again.',
      importText('fileCutOff', { format: 'XML' }),
    )
  throw invalidXml(valid.err.line)
}

/** True: an element is not closed, or the file does not end with a tag. */
const isCutOff = (text: string, fault: string) =>
  /^(Invalid '\[|Unclosed tag)/.test(fault) || (!text.trimEnd().endsWith('>') && fault !== 'Extra text at the end')

/** @param line 0: not known */
const invalidXml = (line: number) =>
  new UnreadableFile(
    line > 0 ? `The file is not valid XML: line ${line} has a mistake.` : 'The file is not valid XML.',
    importText('fileInvalid', { format: 'XML', line }),
  )

/** The parser throws at limits of its own, such as the depth of elements. */
function parsed(text: string): unknown {
  try {
    return parser.parse(text)
  } catch (error) {
    if (isProgramFault(error)) throw error
    throw invalidXml(0)
  }
}

interface Around {
  room: string
  day: ProgrammeDay
  index: number
  zone: string
}

function itemOf(event: Node, { room, day, index, zone }: Around): ScheduleItem {
  const [date, start] = [textOf(event['date']), textOf(event['start'])]
  const starts = startOf(date, start, day, zone)
  const duration = textOf(event['duration'])
  const minutes = minutesOf(duration)
  const persons = isNode(event['persons']) ? nodes(event['persons']['person']) : []
  const fault = startFault(date, start, starts)
  return {
    place: atEvent(index, textOf(event['@id']) || textOf(event['@guid'])),
    id: textOf(event['@guid']) || textOf(event['@id']),
    title: plainOfHtml(textOfRaw(event['title']), { everyTag: hasElements(event['title']) }),
    description: descriptionOf([event['subtitle'], event['abstract'], event['description']].map(markdownOf)),
    kinds: [textOf(event['type']), textOf(event['track'])].filter(Boolean),
    starts,
    isAllDay: false,
    version: null,
    ends: starts && minutes !== null ? starts.add({ minutes }) : null,
    // the event's own room wins over the room around it, as in other readers of the format
    room: plainOfHtml(roomOf(event['room'])) || room,
    position: null,
    people: persons.flatMap((person) => {
      const name = plainOfHtml(textOf(person))
      return name ? [{ id: textOf(person['@guid']) || textOf(person['@id']) || name, name }] : []
    }),
    languages: languagesOf(textOf(event['language'])),
    status: textOf(event['status']),
    isFamilyFriendly: false,
    notes: duration && minutes === null ? [importText('noDuration', { text: duration.slice(0, 40) })] : [],
    ...(fault === null ? {} : { fault }),
  }
}

interface Node {
  [name: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
/** Elements as objects: the parser gives those with text alone as strings. */
const nodes = (value: unknown): Node[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value]).map((each) =>
    isNode(each) ? each : { '#text': each },
  )

const roomOf = (value: unknown) => textOf(Array.isArray(value) ? (value as unknown[])[0] : value)

function textOf(value: unknown): string {
  if (isNode(value)) return textOf(value['#text'])
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}

const cdata = /<!\[CDATA\[([\s\S]*?)\]\]>/g

/** True: the raw text of an element holds elements of XML, such as `<b>`. */
const hasElements = (value: unknown) => /<[a-z/]/i.test(textOf(value).replace(cdata, ''))

/** The text of an element: decoded, or with its elements as HTML. */
function textOfRaw(value: unknown): string {
  const raw = textOf(value)
  if (!/[<&]/.test(raw)) return raw
  const isHtml = hasElements(value)
  let [text, from] = ['', 0]
  for (const match of raw.matchAll(cdata)) {
    const before = raw.slice(from, match.index)
    text += isHtml
      ? before + match[1]!.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
      : decodeReferences(before) + match[1]!
    from = match.index + match[0].length
  }
  const rest = raw.slice(from)
  return text + (isHtml ? rest : decodeReferences(rest))
}

const markdownOf = (value: unknown) => markdownOfHtml(textOfRaw(value), { everyTag: hasElements(value) })
