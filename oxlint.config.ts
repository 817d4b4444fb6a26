import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'oxlint'

/**
 * The floors of the house, kept by lint: imports run down only. One list per corner of each room says what a file may
 * NOT import, as globs on the path as written (they see `../../deals/server/store.ts`, not the resolved file). Of two
 * overrides that match a file only the last holds, so each corner has exactly one. `test/boundaries.test.ts` plants a
 * violation for every rule.
 */
const rooms = globSync('src/*/room.ts', { cwd: import.meta.dirname }).map((file) => file.split(/[\\/]/)[1]!)

/** Which lower rooms a room may look into: what its manifest says. */
const below = Object.fromEntries(rooms.map((room) => [room, looksInto(room)]))

function looksInto(room: string): string[] {
  const manifest = readFileSync(join(import.meta.dirname, 'src', room, 'room.ts'), 'utf8')
  const [, names] = /\n  looksInto: \[([^\]]*)\],\n/.exec(manifest) ?? []
  if (names === undefined) throw new Error(`src/${room}/room.ts does not say what it looks into.`)
  return [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name!)
}

const foreign = (room: string) => rooms.filter((other) => other !== room && !below[room]!.includes(other))
const anyOf = (names: readonly string[], rest: string) => names.flatMap((name) => [`**/${name}/${rest}`])

const app = ['**/app/*', '**/app/**']
const brand = ['**/brand/*', '**/brand/**']
const kitServer = ['**/kit/server/*', '**/kit/server/**']
const kitBrowser = ['**/kit/browser/*', '**/kit/browser/**', 'react', 'react-dom', 'react-router']
const serverLibraries = [
  'fastify',
  'fastify/*',
  '@fastify/*',
  'pg',
  'kysely',
  'pg-boss',
  'nodemailer',
  'rate-limiter-flexible',
  'opening_hours',
  'node:*',
]

type Override = NonNullable<Parameters<typeof defineConfig>[0]['overrides']>[number]

/** The whole list of icons would be part of every page. */
const iconList = {
  name: 'lucide-react',
  allowTypeImports: true,
  message: "An icon is imported by its own path: 'lucide-react/icons/house'.",
}

function corner(files: string[], forbidden: string[], message: string): Override {
  const rule = { paths: [iconList], patterns: [{ group: forbidden, message }] }
  return { files, rules: { 'no-restricted-imports': ['error', rule] } }
}

/** What React Router keeps in `window` for itself alone. */
const ofRouter = ['Context', 'DataRouter', 'Manifest', 'RouteModules', 'RouteModuleUpdates', 'Version'].map((name) => ({
  property: `__reactRouter${name}`,
  message: 'This name is private to React Router.',
}))

const numbersHint = 'The forms of kit/shared/numbers.ts and calendar.ts depend on the language.'
const ownForms = [
  ...['toFixed', 'toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'].map((property) => ({ property })),
  ...['NumberFormat', 'DateTimeFormat'].map((property) => ({ object: 'Intl', property })),
].map((form) => ({ ...form, message: numbersHint }))

const tests = ['**/*.test.ts', '**/*.test.tsx', '**/*.e2e.ts']

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y'],
  categories: { correctness: 'error' },
  rules: {
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: false }],
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    // control characters stand in a pattern here only to be refused
    'no-control-regex': 'off',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
    'react/no-danger': 'error',
    // code points are what lengths and initials count here
    'typescript/no-misused-spread': 'off',
    'typescript/no-base-to-string': 'off',
    'typescript/restrict-template-expressions': 'off',
    'no-restricted-properties': ['error', ...ofRouter, ...ownForms],
    'no-restricted-imports': ['error', { paths: [iconList] }],
    'import/no-cycle': ['error', { ignoreTypes: false }],
  },
  ignorePatterns: ['build', 'data', '.react-router', 'src/database-types.ts', 'lab'],
  overrides: [
    corner(
      ['src/kit/shared/**'],
      [
        ...anyOf(rooms, '**'),
        ...brand,
        ...app,
        ...kitServer,
        ...kitBrowser,
        '../server/**',
        '../browser/**',
        ...serverLibraries,
        '**/site-map.ts',
      ],
      'kit/shared imports nothing of ours.',
    ),
    corner(
      ['src/kit/server/**'],
      [...anyOf(rooms, '**'), ...brand, ...app, ...kitBrowser, '../browser/**', '**/site-map.ts'],
      'kit/server knows kit/shared alone.',
    ),
    corner(
      ['src/kit/browser/**'],
      [
        ...anyOf(rooms, '**'),
        ...brand,
        ...app,
        ...kitServer,
        '../server/**',
        '../../server/**',
        ...serverLibraries,
        '**/site-map.ts',
      ],
      'kit/browser knows kit/shared alone.',
    ),
    corner(['src/brand/**'], [...anyOf(rooms, '**'), ...app, '**/site-map.ts'], 'The brand knows the kit alone.'),
    corner(['src/site-map.ts'], ['./*', '../*', './**'], 'The site map imports nothing.'),
    ...rooms.flatMap((room) => [
      corner(
        [`src/${room}/*.ts`, `src/${room}/contract/**`],
        [
          ...anyOf(rooms, 'server/**'),
          ...anyOf(rooms, 'web/**'),
          './server/*',
          './web/*',
          '../server/*',
          '../web/*',
          ...anyOf(foreign(room), '**'),
          ...anyOf(below[room]!, 'contract/**'),
          ...app,
          ...kitServer,
          ...kitBrowser,
          ...serverLibraries,
        ],
        `A contract or policy of ${room} knows kit/shared and contracts of lower rooms.`,
      ),
      corner(
        [`src/${room}/room.ts`],
        [...anyOf(rooms, 'web/**'), './web/*', ...anyOf(foreign(room), '**'), ...app, ...kitBrowser],
        `The manifest of ${room} knows its own corners, kit/server, and of lower rooms manifest, contract, policy and rules.`,
      ),
      corner(
        [`src/${room}/server/**`, `src/${room}/demo/**`],
        [
          ...anyOf(rooms, 'web/**'),
          '../web/*',
          ...anyOf(foreign(room), '**'),
          ...anyOf(below[room]!, 'contract/**'),
          ...anyOf(below[room]!, 'server/store.ts'),
          ...anyOf(below[room]!, 'server/store/**'),
          ...anyOf(below[room]!, 'server/routes.ts'),
          ...app,
          ...kitBrowser,
        ],
        `The server side of ${room} knows its own corners, kit/server, and of lower rooms contract, policy and rules.`,
      ),
      corner(
        [`src/${room}/web/**`],
        [
          ...anyOf(rooms, 'server/**'),
          '../server/*',
          ...anyOf(foreign(room), '**'),
          ...anyOf(below[room]!, 'contract/**'),
          ...app,
          ...kitServer,
          ...serverLibraries,
        ],
        `Screens of ${room} never import a server, the roof, or a higher room.`,
      ),
    ]),
    // screens can have limits without the contract's library
    corner(['src/*/limits.ts'], ['*', './*', '../*'], 'Limits import nothing.'),
    {
      files: ['src/kit/shared/{numbers,calendar}.ts', 'test/**'],
      rules: { 'no-restricted-properties': ['error', ...ofRouter] },
    },
    { files: tests, rules: { 'no-restricted-imports': 'off', 'no-restricted-properties': ['error', ...ofRouter] } },
  ],
})
