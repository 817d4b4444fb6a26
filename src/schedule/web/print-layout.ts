import type { ScheduleEntry } from '../contract.ts'

export interface PrintLayout {
  /** pt */
  size: number
  columns: number
  notes: boolean
  places: boolean
  /** true: times in a column; false: before the title. */
  times: boolean
}

/** From the most readable to the one that holds most. */
const layouts: PrintLayout[] = [
  { size: 11, columns: 1, notes: true, places: true, times: true },
  { size: 9, columns: 2, notes: true, places: true, times: true },
  { size: 7, columns: 3, notes: true, places: true, times: true },
  { size: 7, columns: 3, notes: true, places: true, times: false },
  { size: 7, columns: 3, notes: false, places: true, times: false },
  { size: 5.5, columns: 3, notes: false, places: true, times: false },
  { size: 4.5, columns: 4, notes: false, places: false, times: false },
]

/** The space of A4 below the title with the widest margins of browsers, pt. */
const page = { width: 510, height: 720 }
/** Between columns, pt. */
const gap = 18
/** Width of a letter in parts of the size, with what is lost at line breaks. */
const letterWidth = { bold: 0.58, regular: 0.48 }
const lineHeight = 1.375
/** Width of the column of times with its gap, in parts of the size. */
const timesWidth = 10.5
/** Letters of a time before the title. */
const timeLetters = 18

/** The first layout with which all entries fit on a page of A4, else the last one. Estimated, because a hidden sheet has no height. */
export function printLayout(entries: readonly Pick<ScheduleEntry, 'event' | 'note'>[]): PrintLayout {
  return layouts.find((layout) => heightOf(entries, layout) <= page.height * layout.columns * 0.94) ?? layouts.at(-1)!
}

function heightOf(entries: readonly Pick<ScheduleEntry, 'event' | 'note'>[], layout: PrintLayout): number {
  const { size, columns, notes, places, times } = layout
  const width = (page.width - gap * (columns - 1)) / columns - (times ? timesWidth * size : 0)
  const lines = (text: string, face: keyof typeof letterWidth) =>
    Math.ceil((text.length * letterWidth[face] * size) / width)
  const days = new Set(entries.map(({ event }) => event.festival_day)).size
  const ofEntries = entries.map(({ event, note }) => {
    const title = lines(event.title + (times ? '' : '.'.repeat(timeLetters)), 'bold')
    const text = title + (places ? lines(placeOf(event), 'regular') : 0) + (notes && note ? lines(note, 'regular') : 0)
    // the time after midnight, with its weekday, may take two lines
    return Math.max(text, times ? 2 : 1) * lineHeight * size + 0.5 * size + 1
  })
  return ofEntries.reduce((sum, each) => sum + each, 0) + days * (1.3 * lineHeight * size + 12)
}

export const placeOf = ({ stage, venue }: ScheduleEntry['event']): string =>
  [stage, venue?.address].filter(Boolean).join(', ')
