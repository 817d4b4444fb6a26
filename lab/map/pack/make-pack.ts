import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { cut } from './cut.ts'
import { creditsOf, layerName, manifest, type Manifest } from './manifest.ts'
import { packLimitBytes, readPack } from '../../../src/map/server/read-pack.ts'
import { BadLayer, readLayer, type LayerFeature } from './read-layer.ts'

/** Most bytes of a layer; a city needs less. */
export const layerLimitBytes = 64 * 1024 * 1024

export interface MadePack {
  name: string
  bytes: number
  tiles: number
  /** Number of features by layer, in the order of the manifest. */
  features: Record<string, number>
  credits: string[]
}

/**
 * Makes the pack `out` from a folder of GeoJSON files and its manifest. The file appears when it is complete; until then an older pack stays.
 * @throws BadLayer with a sentence for the operator
 */
export async function makePack(
  folder: string,
  out: string,
  manifestFile = join(folder, 'manifest.json'),
): Promise<MadePack> {
  if (!(await kindOf(folder))?.isDirectory()) throw new BadLayer(`There is no folder ${folder}.`)
  const manifest = await readManifest(manifestFile)
  const features = new Map<string, LayerFeature[]>()
  for (const layer of manifest.layers) {
    const text = await readText(resolve(folder, layer.file))
    features.set(layerName(layer), readLayer(layer.file, text, manifest.bounds))
  }
  const { file, tiles } = cut(manifest, features)
  if (file.length > packLimitBytes)
    throw new BadLayer(
      `The pack would have ${megabytes(file.length)} MB, and ${megabytes(packLimitBytes)} MB is the limit: narrow bounds, lower maxzoom, or leave layers out.`,
    )
  // throws what the server would refuse
  await readPack(file)
  await writeWhole(out, file)
  return {
    name: manifest.name,
    bytes: file.length,
    tiles,
    features: Object.fromEntries([...features].map(([name, list]) => [name, list.length])),
    credits: creditsOf(manifest).map(({ text }) => text),
  }
}

async function readManifest(file: string): Promise<Manifest> {
  if (!(await kindOf(file)))
    throw new BadLayer(
      `There is no ${file}. It says which files become layers and whom to credit for them: docs/operations.md, "Map".`,
    )
  let json: unknown
  try {
    json = JSON.parse((await readText(file)).replace(/^\uFEFF/, ''))
  } catch (error) {
    if (error instanceof BadLayer) throw error
    throw new BadLayer(`${basename(file)} is no valid JSON: ${(error as Error).message}.`)
  }
  const result = manifest.safeParse(json)
  if (result.success) return result.data
  const faults = result.error.issues.map(({ path, message }) => `  ${path.join('.') || 'the whole'}: ${message}`)
  throw new BadLayer(`${basename(file)} does not say what it must:\n${faults.join('\n')}`)
}

async function readText(file: string): Promise<string> {
  const kind = await kindOf(file)
  if (!kind?.isFile()) throw new BadLayer(`There is no file ${file}.`)
  if (kind.size > layerLimitBytes)
    throw new BadLayer(`${file} has ${megabytes(kind.size)} MB; ${megabytes(layerLimitBytes)} MB is the limit.`)
  const bytes = await readFile(file).catch((error: Error) => {
    throw new BadLayer(`${file} cannot be read: ${error.message}.`)
  })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new BadLayer(`${file} is not written in UTF-8.`)
  }
}

async function writeWhole(out: string, file: Uint8Array) {
  if ((await kindOf(out))?.isDirectory()) throw new BadLayer(`${out} is a folder; name the file to write.`)
  if (!(await kindOf(dirname(out)))?.isDirectory())
    throw new BadLayer(`There is no folder ${dirname(out)} to write to.`)
  const unfinished = join(dirname(out), `.${basename(out)}.${randomUUID()}`)
  try {
    const handle = await open(unfinished, 'wx')
    try {
      await handle.writeFile(file)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, out)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw new BadLayer(`${out} cannot be written: ${(error as Error).message}.`, { cause: error })
  }
}

/** null: the path does not exist. */
function kindOf(path: string) {
  return stat(path).catch(() => null)
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(bytes < 10 * 1024 * 1024 ? 1 : 0)
}
