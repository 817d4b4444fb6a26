import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { rooms } from '../src/app/rooms.ts'

const house = readFileSync(new URL('../docs/house.md', import.meta.url), 'utf8')

/** The plan in docs/house.md: each room, and which ones its row says that it looks into. */
const rows = Object.fromEntries(
  [...house.matchAll(/^src\/(\w+)\/ .*(?:ROOM|SERVICE).*$/gm)].map(([row, name]) => {
    const [, into = ''] = /looks into (.*)$/.exec(row) ?? []
    return [
      name!,
      into
        .split(/, | and /)
        .filter(Boolean)
        .toSorted(),
    ]
  }),
)

it('the plan of the house has a row for each room, with the rooms that its manifest looks into', () => {
  expect(rows).toEqual(Object.fromEntries(rooms.map(({ name, looksInto }) => [name, [...looksInto].toSorted()])))
})
