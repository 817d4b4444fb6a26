import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { isProgramFault, UnreadableFile } from '../../../kit/server/unreadable-file.ts'
import { atEvent, importText } from '../../../kit/server/import-text.ts'
import { descriptionOf, languagesOf } from './read-schedule-json.ts'
import { minutesOf, momentOf, notesOfZone, timeFault, zoneFault } from './read-times.ts'
import type { ReadingOptions, ScheduleFile, ScheduleItem } from './schedule-item.ts'

const parser = new XMLParser({
  ignoreAttributes: false,
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

/** Parses elements within a text in order; the other parser loses the order. */
const inOrder = new XMLParser({
  preserveOrder: true,
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
})

/** Reads schedule XML of frab, pretalx and c3voc. DOCTYPE is refused: it could define entities. @throws `UnreadableFile` */
export function readScheduleXml(text: string, { zone, name }: ReadingOptions): ScheduleFile {
  if (/<!(DOCTYPE|ENTITY)/i.test(text))
    throw new UnreadableFile(
      'The file has a DOCTYPE, which a schedule needs not. Remove it.',
      importText('fileDoctype'),
    )
  const valid = XMLValidator.validate(text)
  if (valid !== true && isCutOff(text, valid.err.msg))
    throw new UnreadableFile(
      'The file ends too early: its XML is incomplete. Export it again.',
      importText('fileCutOff', { format: 'XML' }),
    )
  if (valid !== true) throw invalidXml(`line ${valid.err.line}: ${valid.err.msg.slice(0, 200).replace(/\.$/, '')}`)
  const root = parsed(text) as { schedule?: Node }
  if (!isNode(root.schedule))
    throw new UnreadableFile(
      'The file is XML but no schedule: it does not begin with the element "schedule".',
      importText('fileOtherXml'),
    )
  const conference = isNode(root.schedule['conference']) ? root.schedule['conference'] : {}
  const ownZone = textOf(conference['time_zone_name']) || zone
  // a day may also hold events without a room
  const found = nodes(root.schedule['day']).flatMap((day) => [
    ...nodes(day['room']).flatMap((room) =>
      nodes(room['event']).map((event) => ({ event, room: textOf(room['@name']) })),
    ),
    ...nodes(day['event']).map((event) => ({ event, room: '' })),
  ])
  return {
    format: 'schedule XML',
    source: textOf(conference['acronym']) || name.replace(/\..*$/, ''),
    notes: textOf(conference['time_zone_name'])
      ? []
      : notesOfZone(
          found.map(({ event }) => textOf(event['date'])),
          zone,
        ),
    unread: [],
    items: found.map(({ event, room }, index) => itemOf(event, room, index, ownZone)),
  }
}

/** True: an element is not closed, or the file does not end with a tag. */
const isCutOff = (text: string, fault: string) =>
  /^(Invalid '\[|Unclosed tag)/.test(fault) || (!text.trimEnd().endsWith('>') && fault !== 'Extra text at the end')

const invalidXml = (why: string) =>
  new UnreadableFile(`The file is no valid XML: ${why}.`, importText('fileInvalid', { format: 'XML', why }))

/** The parser throws at limits of its own, such as the depth of elements. */
function parsed(text: string, by = parser): unknown {
  try {
    return by.parse(text)
  } catch (error) {
    if (isProgramFault(error)) throw error
    throw invalidXml((error as Error).message.slice(0, 200))
  }
}

function itemOf(event: Node, room: string, index: number, zone: string): ScheduleItem {
  const date = textOf(event['date'])
  const starts = momentOf(date, zone)
  const duration = textOf(event['duration'])
  const minutes = minutesOf(duration)
  const persons = isNode(event['persons']) ? nodes(event['persons']['person']) : []
  const fault =
    zoneFault(zone, starts) ??
    timeFault(date, '', () => starts) ??
    (duration && minutes === null ? importText('noDuration', { text: duration.slice(0, 40) }) : null)
  return {
    place: atEvent(index, textOf(event['@id']) || textOf(event['@guid'])),
    id: textOf(event['@guid']) || textOf(event['@id']),
    title: wordsOf(event['title']),
    description: descriptionOf([event['subtitle'], event['abstract'], event['description']].map(wordsOf)),
    kinds: [textOf(event['type']), textOf(event['track'])].filter(Boolean),
    starts,
    isAllDay: false,
    version: null,
    ends: starts && minutes !== null ? starts.add({ minutes }) : null,
    // the event's own room wins over the room around it, as in other readers of the format
    room: roomOf(event['room']) || room,
    position: null,
    people: persons.flatMap((person) => {
      const name = textOf(person)
      return name ? [{ id: textOf(person['@guid']) || textOf(person['@id']) || name, name }] : []
    }),
    languages: languagesOf(textOf(event['language'])),
    status: textOf(event['status']),
    isFamilyFriendly: false,
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

/** The text of an element without tags such as `<b>`. */
function wordsOf(value: unknown): string {
  const raw = textOf(value)
  if (!/[<&]/.test(raw)) return raw
  return textIn(parsed(`<words>${raw}</words>`, inOrder) as InOrder[]).trim()
}

type InOrder = Record<string, unknown>

const lines = new Set(['br', 'p', 'div', 'li', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'blockquote'])

const textIn = (parts: InOrder[]): string =>
  parts
    .map((part) => {
      if (typeof part['#text'] === 'string') return part['#text']
      return Object.entries(part)
        .map(([name, within]) =>
          Array.isArray(within) ? textIn(within as InOrder[]) + (lines.has(name.toLowerCase()) ? '\n' : '') : '',
        )
        .join('')
    })
    .join('')
