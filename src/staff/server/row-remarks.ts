import { importText, type ImportText } from '../../kit/server/import-text.ts'
import type { FileRow } from '../../kit/server/row-file.ts'
import type { ImportRemark } from './import-report.ts'

/** Collects remarks about the rows of a file, and which rows were refused. */
export class RowRemarks {
  readonly refused = new Set<number>()
  private readonly all: { index: number; remark: ImportRemark; more: number }[] = []
  private readonly common = new Map<string, { more: number }>()
  private readonly rows: readonly Pick<FileRow, 'place'>[]

  /** Rows are named by their index in `rows`. */
  constructor(rows: readonly Pick<FileRow, 'place'>[]) {
    this.rows = rows
  }

  add(kind: ImportRemark['kind'], index: number, title: string, text: ImportText): { more: number } {
    if (kind === 'refused') this.refused.add(index)
    const added = { index, remark: { kind, place: this.rows[index]!.place, title, texts: [text] }, more: 0 }
    this.all.push(added)
    return added
  }

  /** As `add`, but equal remarks become one at the first row, with the number of the others. */
  addOnce(kind: ImportRemark['kind'], index: number, title: string, text: ImportText): void {
    const key = `${kind} ${JSON.stringify(text)}`
    const first = this.common.get(key)
    if (first) first.more++
    else this.common.set(key, this.add(kind, index, title, text))
    if (kind === 'refused') this.refused.add(index)
  }

  /** In the order of the file. */
  list(): ImportRemark[] {
    return this.all
      .toSorted((a, b) => a.index - b.index)
      .map(({ remark, more }) =>
        more === 0 ? remark : { ...remark, texts: [importText('andMoreRows', { text: remark.texts[0]!, n: more })] },
      )
  }
}
