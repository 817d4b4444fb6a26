import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from 'react-router'
import { build } from 'vite'
import { appMost } from '../src/app/offline/bounds.ts'
import { buildTarget } from './oldest-browsers.ts'
import { root } from './sources.ts'

interface Chunk {
  file: string
  src?: string
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}

/** Files of screens that open without a network. Their imports are cached too. */
const screens =
  /(entry\.client|app\/root|Frame|HomeScreen|OfflineScreen|LogoutScreen|app\/screens\/(Events|Event|Deals|Deal|Business)Screen|MyScheduleScreen|FavoritesScreen|MyCodesScreen|DealsMapScreen|ForumScreen|TopicScreen|UserLoginScreen)\.tsx/
/** Parts of these screens that are not cached: live maps, forms, and parts that need a network anyway. */
const left = /(engine|pack|decode|Composer|ModerateTopic|OneTap|human-check|solve-challenge|camera|read-stream)/

/**
 * Builds the service worker as one file that contains the list of files to cache.
 * @throws Error when these files are larger than `appMost`
 */
export async function buildWorker(): Promise<void> {
  const client = join(root, 'build', 'client')
  const chunks = JSON.parse(readFileSync(join(client, '.vite', 'manifest.json'), 'utf8')) as Record<string, Chunk>
  const server = pathToFileURL(join(root, 'build', 'server', 'index.js')).href
  const { assets } = (await import(server)) as ServerBuild
  const files = filesOf(chunks).add(assets.url.slice(1))
  for (const name of readdirSync(join(client, 'assets')))
    // without the server build's copy of the style sheet, which no page uses
    if (/^(?!server-).*\.(woff2|css)$/.test(name) || /^(wave|lost|broken)-.*\.svg$/.test(name))
      files.add(`assets/${name}`)
  const bytes = [...files].reduce((sum, file) => sum + statSync(join(client, file)).size, 0)
  if (bytes > appMost) throw new Error(`The app kept by a phone would have ${bytes} bytes, more than ${appMost}.`)
  const built = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    define: {
      'process.env.NODE_ENV': '"production"',
      __FILES__: JSON.stringify([...files].sort().map((file) => `/${file}`)),
      __BUILD__: JSON.stringify(assets.version),
    },
    build: {
      write: false,
      minify: true,
      target: buildTarget,
      lib: { entry: join(root, 'src', 'app', 'offline', 'sw.ts'), formats: ['iife'], name: 'worker' },
    },
  })
  const [chunk] = (Array.isArray(built) ? built[0]! : (built as Extract<typeof built, { output: unknown }>)).output
  writeFileSync(join(client, 'sw.js'), chunk.code)
}

function filesOf(chunks: Record<string, Chunk>): Set<string> {
  const files = new Set<string>()
  const take = (key: string) => {
    const chunk = chunks[key]
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const css of chunk.css ?? []) files.add(css)
    for (const imported of chunk.imports ?? []) take(imported)
    for (const later of chunk.dynamicImports ?? []) if (!left.test(later) && !/Screen\.tsx/.test(later)) take(later)
  }
  for (const key of Object.keys(chunks)) if (screens.test(key)) take(key)
  return files
}
