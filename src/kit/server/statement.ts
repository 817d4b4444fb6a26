import { CompiledQuery } from 'kysely'
import type { Sql } from './database.ts'

/**
 * For the statements that are asked most: SQL as plain text with `$name` for each value, however often it stands there.
 * A text is numbered once, so a request neither builds a syntax tree nor sends the same value twenty times. The text
 * must be made of constants alone; everything that comes from a request is a value.
 */
export async function query<Row>(db: Sql, text: string, values: Record<string, unknown>): Promise<Row[]> {
  const { sql, names } = numbered(text)
  const parameters = names.map((name) => {
    if (!(name in values)) throw new Error(`No value for $${name}`)
    const value = values[name]
    return value instanceof Date ? value.toISOString() : value
  })
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(sql, parameters))
  return rows
}

const texts = new Map<string, { sql: string; names: string[] }>()
/** Shapes of all statements of the app stay far below; the bound is against a text that holds a value by mistake. */
const keptTexts = 1000

function numbered(text: string) {
  let found = texts.get(text)
  if (!found) {
    const names: string[] = []
    const sql = text
      .replace(/--.*$/gm, '')
      .replace(/\s+/g, ' ')
      .replace(/\$([a-zA-Z]\w*)/g, (_, name: string) => {
        if (!names.includes(name)) names.push(name)
        return `$${names.indexOf(name) + 1}`
      })
    if (texts.size >= keptTexts) texts.clear()
    texts.set(text, (found = { sql, names }))
  }
  return found
}
