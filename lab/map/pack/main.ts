import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makePack } from './make-pack.ts'
import { BadLayer } from './read-layer.ts'

/**
 * `npm run map:pack -- FOLDER OUT [--manifest FILE]`: cuts a folder of GeoJSON into one map pack for `MAP_PACK`. What the
 * manifest says and which layers the map draws stands in docs/operations.md, "Map".
 */
const usage = `npm run map:pack -- FOLDER OUT [--manifest FILE]

Cuts the GeoJSON files of FOLDER into one file of vector tiles (PMTiles), for MAP_PACK.

  --manifest FILE  says which files become layers and whom to credit; FOLDER/manifest.json where it is not given

Ends with 0 when OUT was written and with 1 when it was not; then a file that was there is still there.
`
process.exitCode = await run(process.argv.slice(2))

async function run(args: string[]): Promise<number> {
  const options = readArguments(args)
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n\n${usage}`)
    return 1
  }
  if (options === null) {
    process.stdout.write(usage)
    return 0
  }
  // npm starts this in the folder of the lab
  const path = (given: string) => resolve(process.env['INIT_CWD'] ?? '.', given)
  try {
    const made = await makePack(path(options.folder), path(options.out), options.manifest && path(options.manifest))
    const widest = Math.max(...Object.keys(made.features).map((name) => name.length))
    for (const [name, count] of Object.entries(made.features))
      console.log(`${name.padEnd(widest)}  ${String(count).padStart(7)} features`)
    console.log(`Credits: ${made.credits.join(' · ')}`)
    console.log(`${options.out}: ${made.name}, ${made.tiles} tiles, ${Math.ceil(made.bytes / 1000)} kB`)
    if (made.bytes > 5_000_000) console.log('Visitors load it whole: below 5 MB it is quick on a phone.')
    return 0
  } catch (error) {
    if (!(error instanceof BadLayer)) throw error
    process.stderr.write(`${error.message}\nNothing was written.\n`)
    return 1
  }
}

/** @returns null for `--help`; a text: what is wrong with the arguments */
function readArguments(args: string[]): { folder: string; out: string; manifest: string | undefined } | string | null {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { manifest: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
    if (values.help) return null
    const [folder, out, ...rest] = positionals
    if (!folder || !out || rest.length > 0) return 'Name a folder and the file to write.'
    return { folder, out, manifest: values.manifest }
  } catch (error) {
    return (error as Error).message
  }
}
