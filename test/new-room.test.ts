import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyOfHouse } from './copy-of-house.ts'

/**
 * "Add a room" of CONTRIBUTING.md, done in a copy of the repository. It fails for a list that the checklist does not name: add the list to
 * the checklist and here, or better, derive it from the manifest.
 */
const { copy, bin, remove } = copyOfHouse('new-room', /^(?:public|deploy)\//)

beforeAll(addRoom)
afterAll(remove)

function write(file: string, text: string) {
  mkdirSync(dirname(join(copy, file)), { recursive: true })
  writeFileSync(join(copy, file), text)
}

/** Puts `text` before the first line that begins with `mark`. */
function insert(file: string, mark: string, text: string) {
  const before = readFileSync(join(copy, file), 'utf8')
  const at = before.startsWith(mark) ? 0 : before.indexOf(`\n${mark}`) + 1
  expect(before.slice(at), file).toMatch(new RegExp(`^${RegExp.escape(mark)}`))
  write(file, before.slice(0, at) + text + before.slice(at))
}

function addRoom() {
  // the room's own folder; from texts, as files here would belong to this repository
  for (const file of globSync('**/*.txt', { cwd: join(import.meta.dirname, 'new-room') }))
    write(
      `src/lanterns/${file.replace(/\.txt$/, '')}`,
      readFileSync(join(import.meta.dirname, 'new-room', file), 'utf8'),
    )
  write('migrations/9999_lanterns.sql', 'create table lanterns (lantern_id uuid primary key, name text not null);\n')
  const texts = { en: ['Lanterns', 'Gone.'], de: ['Laternen', 'Weg.'], fr: ['Lanternes', 'Partie.'] } as const
  for (const [locale, [title, gone]] of Object.entries(texts)) {
    insert(`messages/${locale}.json`, '  "refusals": {', `  "lanterns": { "title": "${title}" },\n`)
    insert(`messages/${locale}.json`, '    "invoice_not_found"', `    "lantern_gone": "${gone}",\n`)
  }
  insert('src/app/rooms.ts', 'import { live }', "import { lanterns } from '../lanterns/room.ts'\n")
  insert('src/app/rooms.ts', '  payments,', '  lanterns,\n')
  insert('src/site-map.ts', "  help: '/help',", "  lanterns: '/lanterns',\n")
  insert('docs/house.md', 'src/analytics/ ', 'src/lanterns/ ROOM: lanterns along the river   looks into map\n')
  insert('src/app/offline/cached-pages.test.ts', "  '/api/till/clock',", "  '/api/lanterns',\n")
  insert('test/tables.ts', "  places: ['useful_places'],", "  lanterns: ['lanterns'],\n")
}

it('a new room passes the tests of the house after the steps of the checklist', async () => {
  const checks = ['boundaries', 'house', 'messages', 'tables'].map((name) => `test/${name}.test.ts`)
  expect(await bin('vitest', 'run', '--project', 'unit', ...checks, 'src/app/offline')).toBe('')
}, 300_000)

it('a new room passes lint and types after the steps of the checklist', async () => {
  expect(await bin('oxlint', '--deny-warnings', 'src')).toBe('')
  // only files that name rooms: the whole repository is checked by another test
  const namesRooms = ['src/app', 'src/lanterns', ...globSync('test/*.ts', { cwd: copy })]
  expect(await bin('oxlint', '--type-aware', '--type-check', '--deny-warnings', ...namesRooms)).toBe('')
  // half a minute of CPU, on a busy machine
}, 300_000)
