import { importText, type ImportText, type Speaker } from '../../kit/server/import-text.ts'
import { importMostRemarks } from '../contract.ts'

/** What an import says about one row of a file, or with an empty title about the whole file. */
export interface ImportRemark {
  kind: 'refused' | 'note' | 'changed' | 'new' | 'missing'
  place: ImportText | null
  title: string
  texts: ImportText[]
}

/** Each row of the file is one of new, changed, same and refused. */
export type ImportCounts = Record<'read' | 'new' | 'changed' | 'same' | 'refused', number>

/** A remark in a reader's language. */
export const remarkInWords = (speak: Speaker, { kind, place, title, texts }: ImportRemark) => ({
  kind,
  place: place ? speak(place) : '',
  title,
  text: texts.map(speak).join('; '),
})

/** A remark about the whole file. */
export const noteOf = (fileName: string, text: ImportText): ImportRemark => ({
  kind: 'note',
  place: fileName ? importText('plain', { text: fileName }) : null,
  title: '',
  texts: [text],
})

/** The remarks of an answer, in the reader's language; of too many the most important. */
export function remarksOfAnswer(remarks: readonly ImportRemark[], speak: Speaker) {
  // NUL and broken surrogates, for which a row is refused, cannot be stored with the answer either
  const short = (text: string, max: number) =>
    [...text.replaceAll('\0', '\ufffd').toWellFormed()].slice(0, max).join('')
  return mostImportant(remarks)
    .map((remark) => remarkInWords(speak, remark))
    .map(({ kind, place, title, text }) => ({
      kind,
      place: short(place, 200),
      title: short(title, 300),
      text: short(text, 500),
    }))
}

/** The remarks that fit into an answer: those that need a decision first, and last a line with the number left out. */
function mostImportant(remarks: readonly ImportRemark[]): readonly ImportRemark[] {
  if (remarks.length <= importMostRemarks) return remarks
  const order = ['refused', 'missing', 'note', 'changed', 'new']
  const shown = remarks
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
    .slice(0, importMostRemarks - 1)
  return [...shown, noteOf('', importText('notShown', { n: remarks.length - shown.length }))]
}

/** The report as lines of a terminal; the last one is "N read, N new, N changed, N same, N refused". */
export function importReportLines(
  { counts, remarks }: { counts: ImportCounts; remarks: readonly ImportRemark[] },
  speak: Speaker,
): string[] {
  const { read, changed, same, refused } = counts
  return [
    ...remarks
      .filter(({ kind }) => kind !== 'new')
      .map((remark) => remarkInWords(speak, remark))
      .map(
        ({ kind, place, title, text }) =>
          `${place}${title ? ` (${oneLine(title, 60)})` : ''}: ${kind}: ${oneLine(text, 300)}`,
      ),
    `${read} read, ${counts.new} new, ${changed} changed, ${same} same, ${refused} refused`,
  ]
}

/** The note about columns that hold something and were not read; none if all were. */
export function listedColumns(unread: readonly string[]): ImportText[] {
  if (unread.length === 0) return []
  const shown = unread.slice(0, 40).map((name) => oneLine(name, 40))
  const names = [...shown, ...(unread.length > shown.length ? ['…'] : [])].join(', ')
  return [importText('unread', { names })]
}

/** Without control characters, which a terminal would obey; at most `max` letters. */
export function oneLine(text: string, max: number): string {
  const characters = [...text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()]
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : characters.join('')
}
