import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
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

it('limits.ts of a room leans on nothing, so that screens can have it without the contract’s library', () => {
  const files = globSync('src/*/limits.ts')
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) expect(readFileSync(file, 'utf8'), file).not.toMatch(/^import /m)
})

it('every cache of the server has its row, by its name and its file, in the table of docs/performance.md', () => {
  const performance = readFileSync(new URL('../docs/performance.md', import.meta.url), 'utf8')
  const table = /## What is remembered\n(.*?)\n## /s.exec(performance)![1]!
  const rows = [...table.matchAll(/^\| ([^|]+) \| ((?:`[^`]+`(?:, )?)+) \|/gm)].map(([, name, files]) => ({
    name: name!,
    files: [...files!.matchAll(/`([^`]+)`/g)].map(([, file]) => `src/${file}`),
  }))
  const sources = globSync('src/**/*.ts').filter((file) => !file.includes('.test.'))
  const found = sources.flatMap((file) => {
    const source = readFileSync(file, 'utf8')
    const names = source.matchAll(/new Kept(?:<[^(]*>)?\('([^']+)'|\{ name: '([^']+)', keptMs/g)
    return [...names].map(([, kept, remembered]) => ({ name: kept ?? remembered, file }))
  })
  expect(found.length).toBeGreaterThan(10)
  for (const { name, file } of found)
    expect(rows.find((row) => row.name === name)?.files, `${name} of ${file}`).toContain(file)
  for (const { name, files } of rows) for (const file of files) expect(sources, name).toContain(file)
})

it('every queue for costly work has its row, by its name and its file, in the table of docs/performance.md', () => {
  const performance = readFileSync(new URL('../docs/performance.md', import.meta.url), 'utf8')
  const table = /## What takes turns\n(.*?)\n## /s.exec(performance)![1]!
  const rows = [...table.matchAll(/^\| ([^|]+) \| `([^`]+)` \|/gm)].map(([, name, file]) => `${name} src/${file}`)
  const queues = globSync('src/**/*.ts')
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) => {
      const made = readFileSync(file, 'utf8').matchAll(/fairTurns\(\{\s*name: '([^']+)'/g)
      return [...made].map(([, name]) => `${name} ${file}`)
    })
  expect(queues.toSorted()).toEqual(rows.toSorted())
})

it('no cache of the server is a map that is emptied when it is full', () => {
  const emptied = globSync('src/{*/server,kit/server}/**/*.ts')
    .filter((file) => !file.includes('.test.') && !file.endsWith('kit/server/remembered.ts'))
    .filter((file) => /\.size >= \w+\) [\w.#]+\.clear\(\)/.test(readFileSync(file, 'utf8')))
  expect(emptied).toEqual([])
})

it('every dialog is opened by the function that focuses its heading', () => {
  const own = globSync('src/**/*.{ts,tsx}').filter((file) => /\.show(Modal)?\(\)/.test(readFileSync(file, 'utf8')))
  expect(own).toEqual(['src/kit/browser/ui/show-modal.ts'])
})
