import { RawNode, type CompiledQuery } from 'kysely'
import type { Sql } from './database.ts'
import { textInstantsMark } from './pool.ts'

/** SQL with numbered values. */
export interface Statement {
  sql: string
  /** Names of the values `$1`, `$2` … */
  names: readonly string[]
}

/**
 * Runs SQL with `$name` for values; a name may stand there many times. For the most frequent statements: each text is numbered once, so a
 * request builds no syntax tree and sends each value once. The text must consist of constants; everything from a request is a value.
 * Instants (`timestamptz`) are returned as ISO texts, as answers have them.
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
 * A statement in several shapes. Shapes are choices of the code, never values of a request; the type allows only booleans and texts of the
 * code.
 */
export function inShapes<Shape extends object>(
  write: (shape: Shape & Record<keyof Shape, boolean | string>) => string,
): (shape: Shape & Record<keyof Shape, boolean | string>) => Statement {
  return (shape) => numbered(write(shape))
}

// only plugins of the query builder read these, and there are none
const noTree = RawNode.createWithSql('')
const queryId: CompiledQuery['queryId'] = { queryId: 'statement' }

/** Cache of numbered texts. It grows only with the statements of the code: some hundreds. */
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
