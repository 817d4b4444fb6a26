import { RawNode, type CompiledQuery } from 'kysely'
import type { Sql } from './database.ts'
import { textInstantsMark } from './pool.ts'

/** A text whose values are numbered. */
export interface Statement {
  sql: string
  /** What stands for `$1`, `$2` … */
  names: readonly string[]
}

/**
 * For the statements that are asked most: SQL as plain text with `$name` for each value, however often it stands there.
 * A text is numbered once, so a request neither builds a syntax tree nor sends the same value twenty times. The text
 * must be made of constants alone; everything that comes from a request is a value. Instants (`timestamptz`) come as
 * ISO texts, as they cross the wire.
 */
export async function query<Row>(db: Sql, text: string | Statement, values: Record<string, unknown>): Promise<Row[]> {
  const { sql, names } = typeof text === 'string' ? numbered(text) : text
  const parameters = names.map((name) => {
    if (!(name in values)) throw new Error(`No value for $${name}`)
    const value = values[name]
    return value instanceof Date ? value.toISOString() : value
  })
  const { rows } = await db.executeQuery<Row>({ sql, parameters, query: noTree, queryId })
  return rows
}

/**
 * A statement that comes in several shapes, each written once. The type lets nothing into a text but what its shape
 * says, and the shape holds choices of the code, never a value of a request.
 */
export function inShapes<Shape extends object>(
  write: (shape: Shape & Record<keyof Shape, boolean | string>) => string,
): (shape: Shape & Record<keyof Shape, boolean | string>) => Statement {
  return (shape) => numbered(write(shape))
}

// plugins of the query builder would read these; there are none
const noTree = RawNode.createWithSql('')
const queryId: CompiledQuery['queryId'] = { queryId: 'statement' }

/** Texts that were numbered: as many as the app has statements and shapes of them, some hundreds. */
const texts = new Map<string, Statement>()

function numbered(text: string): Statement {
  let found = texts.get(text)
  if (!found) {
    const names: string[] = []
    const plain = text
      .replace(/--.*$/gm, '')
      .replace(/\s+/g, ' ')
      .replace(/\$([a-zA-Z]\w*)/g, (_, name: string) => {
        if (!names.includes(name)) names.push(name)
        return `$${names.indexOf(name) + 1}`
      })
    texts.set(text, (found = { sql: textInstantsMark + plain, names }))
  }
  return found
}
