import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import { root } from './sources.ts'

/** Entry files: the server, the operator's commands that need the rooms, and the doctor's dry start. */
const programs = ['main', 'staff', 'import', 'stripe-setup', 'payments-check', 'restore-deletions', 'dry-start']
const folder = join(root, 'build', 'app')

/** Resolves files beside a source (texts, fonts, migrations, a worker) from the source's folder, not from the bundle's. */
const whereSourcesLie: Plugin = {
  name: 'where-sources-lie',
  transform(code, id) {
    if (!id.startsWith(join(root, 'src')) || !code.includes('import.meta.')) return null
    if (/import\.meta\.(?!url\b)/.test(code)) throw new Error(`${id}: the bundle knows import.meta.url alone.`)
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`)
  },
}

/**
 * Escapes letters beyond ASCII that `charset` leaves, in the templates of `sql` and `html`: one of them, and Node holds the whole file
 * with two bytes a letter.
 */
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
 * Bundles the server with its libraries: a start reads 30 files instead of a thousand and needs less memory
 * (docs/decisions/0060-bundled-server.md). Names are not shortened, because logs contain them.
 */
export async function buildServer(): Promise<void> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [whereSourcesLie, oneByteALetter],
    // native code, a development tool, and an optional part of pg
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
  deleteOldBuilds((built as Rolldown.RolldownOutput).output.map(({ fileName }) => fileName))
}

/** Deletes all builds but this and the previous one: a running server loads some files late, e.g. for its first mail. */
function deleteOldBuilds(files: string[]) {
  const list = join(folder, 'files.json')
  const before = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as string[]) : []
  for (const name of readdirSync(folder)) if (![...files, ...before].includes(name)) rmSync(join(folder, name))
  writeFileSync(list, JSON.stringify(files))
}
