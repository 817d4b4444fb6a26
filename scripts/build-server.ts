import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import { root } from './sources.ts'

/** What runs in production: the server, the commands of an operator that need the house, and what the doctor tries. */
const programs = ['main', 'staff', 'import', 'stripe-setup', 'payments-check', 'restore-deletions', 'dry-start']
const folder = join(root, 'build', 'app')

/** Files beside a source (texts, faces, migrations, a worker) are found from where the source lies, not from the bundle. */
const whereSourcesLie: Plugin = {
  name: 'where-sources-lie',
  transform(code, id) {
    if (!id.startsWith(join(root, 'src')) || !code.includes('import.meta.')) return null
    if (/import\.meta\.(?!url\b)/.test(code)) throw new Error(`${id}: the bundle knows import.meta.url alone.`)
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`)
  },
}

/** One letter beyond ASCII, and Node keeps the whole text of a file with two bytes a letter: here what `charset` leaves, texts of `sql` and `html`. */
const oneByteALetter: Plugin = {
  name: 'one-byte-a-letter',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        chunk.code = chunk.code.replace(
          /[^\0-\x7f]/g,
          (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )
  },
}

/**
 * The server with its libraries as a few files: a start reads 30 files instead of a thousand, and holds no comments, no types and no
 * source a second time (docs/decisions/0060-bundled-server.md). Names stay as they are, for they stand in logs.
 */
export async function buildServer(): Promise<void> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [whereSourcesLie, oneByteALetter],
    // machine code, a tool of developers, and what pg looks for and does without
    ssr: { noExternal: true, external: ['sharp', 'vite', 'pg-native'] },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: 'node26',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(programs.map((name) => [name, join(root, 'src', 'app', `${name}.ts`)])),
        output: {
          entryFileNames: '[name].mjs',
          chunkFileNames: '[name]-[hash].mjs',
          charset: 'ascii',
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        },
      },
    },
  })
  keepTwoBuilds((built as Rolldown.RolldownOutput).output.map(({ fileName }) => fileName))
}

/** A server that still runs the build before loads some of its files only when they are needed, e.g. for its first mail. */
function keepTwoBuilds(files: string[]) {
  const list = join(folder, 'files.json')
  const before = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as string[]) : []
  for (const name of readdirSync(folder)) if (![...files, ...before].includes(name)) rmSync(join(folder, name))
  writeFileSync(list, JSON.stringify(files))
}
