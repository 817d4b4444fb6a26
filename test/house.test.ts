import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rooms } from '../src/app/rooms.ts'

const house = readFileSync(new URL('../docs/house.md', import.meta.url), 'utf8')

/** The plan in docs/house.md: the rooms that each room looks into. */
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

it('the plan has a row for each room, with the rooms that its manifest looks into', () => {
  expect(rows).toEqual(Object.fromEntries(rooms.map(({ name, looksInto }) => [name, [...looksInto].toSorted()])))
})

describe('the list of rooms', () => {
  it('names every folder that has a manifest, under its own name', () => {
    const folders = globSync('src/*/room.ts').map((file) => file.split(/[\\/]/)[1]!)
    expect(rooms.map(({ name }) => name).toSorted()).toEqual(folders.toSorted())
  })

  it('goes from the lowest room up', () => {
    for (const [index, { name, looksInto }] of rooms.entries())
      for (const lower of looksInto)
        expect(
          rooms.slice(0, index).map((room) => room.name),
          `${name} looks into ${lower}`,
        ).toContain(lower)
  })
})
