import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { tables } from './tables.ts'

/** The only SQL that may read tables of other rooms, by docs/decisions/0057-tables-of-other-rooms.md. */
const exceptions: [file: string, table: string, why: string][] = [
  ['src/app/demo/store.ts', 'businesses', 'a database with merchants of its own gets no demo'],
  ['src/businesses/server/store/lists.ts', 'deals', 'counts the deals of each merchant of a page, in its statement'],
]

const sqlOf = (file: string) => readFileSync(file, 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '')

it('every table of the migrations belongs to one room', () => {
  const sql = globSync('migrations/*.sql').map((file) => readFileSync(file, 'utf8').replace(/--.*$/gm, ''))
  const named = (statement: RegExp) =>
    new Set(sql.flatMap((each) => [...each.matchAll(statement)].map(([, table]) => table!)))
  const made = named(/create (?:unlogged )?table (?:if not exists )?(\w+)/g)
  const left = made.difference(named(/drop table (\w+)/g))
  expect(Object.values(tables).flat().toSorted()).toEqual([...left].toSorted())
})

it('the SQL of a room names no tables of other rooms, except for known cases', () => {
  const found = globSync('src/*/{server,demo}/**/*.ts')
    .filter((file) => !/\.(test|e2e)\.ts$/.test(file))
    .flatMap((file) => {
      const own = tables[file.split(/[\\/]/)[1]!] ?? []
      const foreign = Object.values(tables)
        .flat()
        .filter((table) => !own.includes(table))
      const code = sqlOf(file)
      return foreign.filter((table) => names(code, table)).map((table) => `${file} names ${table}`)
    })
  expect(found.toSorted()).toEqual(exceptions.map(([file, table]) => `${file} names ${table}`).toSorted())
})

it.each([
  ['select 1 from deals d', true],
  ['left  join deals using (deal_id)', true],
  ['insert into\n  deals (deal_id)', true],
  ['update deals set', true],
  [".selectFrom('deals as d')", true],
  [".innerJoin('deals', 'a', 'b')", true],
  ["deleteInSteps(db, 'deals', isOver)", true],
  ["name: 'deals'", false],
  ['from dealsome', false],
])('the test recognises SQL: %s', (code, isSql) => expect(names(code, 'deals')).toBe(isSql))

function names(code: string, table: string): boolean {
  const inText = new RegExp(`\\b(?:from|join|into|update|lateral|only)\\s+${table}\\b`, 'i')
  const inCalls = new RegExp(
    `(?:selectFrom|insertInto|updateTable|deleteFrom|\\w+Join|\\btable|deleteInSteps)\\(\\s*(?:\\w+,\\s*)?['"\`]${table}\\b`,
  )
  return inText.test(code) || inCalls.test(code)
}
