import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { compiledTexts } from './scripts/compiled-texts.ts'
import { inlineScripts } from './scripts/inline-scripts.ts'
import { lateFiles } from './scripts/late-files.ts'
import { buildTarget } from './scripts/oldest-browsers.ts'

export default defineConfig(({ command }) => ({
  plugins: [
    compiledTexts(),
    inlineScripts(),
    lateFiles(),
    tailwindcss(),
    reactRouter(),
    unusedPartsLeave(),
    oneStyleSheet(),
    compiledAhead(),
  ],
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // what only servers import of these is no part of the page: browsers fetch them late
          treeshake: { moduleSideEffects: [{ test: drawnLate, sideEffects: false }] },
          output: {
            // names of files are much of what a page sends: seven letters tell four million million versions apart
            chunkFileNames: 'assets/[name]-[hash:7].js',
            codeSplitting: {
              // what every page needs comes as one file, what pages for visitors share as another, and what the screens
              // behind them share (forms above all) as a third: a phone waits longer for a request than for bytes
              groups: [
                { name: reachedFrom('page', ['entry.client', 'root', 'screens/Frame']), priority: 4 },
                {
                  name: reachedFrom('shared', withDeals),
                  test: (id) => ours.test(id) && !ofDeals.test(id) && !ofFew.test(id),
                  minShareCount: 4,
                  priority: 3,
                },
                // what draws deals, of which pages of the programme and the forum have none
                { name: reachedFrom('deals', withDeals), test: ofDeals, minShareCount: 4, priority: 2 },
                {
                  // of the page of one deal or one merchant; lists measure distances as well, and what few see is late
                  name: reachedFrom('one', ['screens/DealScreen', 'screens/BusinessScreen']),
                  test: (id) => /\/src\/|\/lucide-react\//.test(id) && !ofFew.test(id),
                  minShareCount: 2,
                  priority: 1,
                },
                { name: 'river', test: /\/src\/brand\/(?:festival-days|FestivalDate|RiverScene)\.tsx?$/, priority: 4 },
                // what pages of these rooms know before they draw anything
                {
                  name: 'event',
                  test: /\/src\/(?:events\/(?:limits|web\/(?:calls|card-event|use-event-when))|kit\/(?:browser\/use-renewal|shared\/group-by))\.ts$/,
                  priority: 1,
                },
                { name: 'forum', test: /\/src\/forum\/(?:limits|web\/(?:calls|forum-words))\.ts$/, priority: 1 },
                {
                  name: 'save',
                  test: /\/src\/(?:events\/web\/event-action|schedule\/web\/(?:AddToSchedule|SavingHost|saved))\.tsx?$/,
                  priority: 1,
                },
                {
                  name: 'schedule',
                  test: /\/src\/schedule\/(?:web\/(?:calls|changes|kept|my-schedule)|autoplan|times)\.ts$/,
                  priority: 1,
                },
                {
                  name: 'behind',
                  test: (id) => ours.test(id) && !ofDeals.test(id) && !ofFew.test(id) && !ofProgramme.test(id),
                  minShareCount: 4,
                },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // decided here, not by whoever starts the server: React for developers takes twice the time and half a megabyte
      define: command === 'build' ? { 'process.env.NODE_ENV': '"production"' } : {},
      // the server keeps the text of what it runs in memory: two bytes a letter of a file in which one is not ASCII
      build: { minify: true, rolldownOptions: { output: { charset: 'ascii' } } },
    },
  },
  build: {
    target: buildTarget,
    // data: URLs and the preload helper's inline code would need a weaker CSP
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // which file brings which along: for the list of what the service worker keeps
    manifest: true,
    sourcemap: false,
  },
  // libraries used by screens alone are part of the server's bundle, so they need no place in a production install
  ...(command === 'build' ? { ssr: { noExternal: true as const } } : {}),
  server: { watch: { ignored: ['**/data/**', '**/build/**'] } },
}))

/**
 * Chromium from 136 compiles these files in the background as they arrive; to other browsers the line is a comment. Without it
 * each function is compiled when it is first called, and a phone is blocked twice as long. Hashes of file names come from
 * the code below the line.
 */
function compiledAhead(): Plugin {
  const files = /^(?:page|shared|deals|one|event|forum|save|schedule|entry\.client|EventGrid|SavingParts|.*Screen)$/
  return {
    name: 'compiled-ahead',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle))
          if (chunk.type === 'chunk' && files.test(chunk.name))
            chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
      },
    },
  }
}

/** The screens whose parts most pages for visitors share. */
const withDeals = ['Home', 'Deals', 'Deal', 'Business'].map((name) => `screens/${name}Screen`)

const ofDeals =
  /\/src\/(?:deals\/|businesses\/(?:limits|web\/calls)\.|brand\/Rating\.|kit\/browser\/(?:here|ui\/Price)\.)/

/** What lists share as well, logos, and what late parts of the page of a deal or a merchant draw. */
const ofFew =
  /\/(?:(?:with-distance|read-pieces)\.ts|(?:RichText|CounterView|DealStatusBanner|BusinessLogo|SaidOfDeal|DealRatings|BusinessRatings|RatingItem|ReportDeal)\.tsx|icons\/(?:badge-check|flag)\.mjs)$/

/** What many screens share. */
const ours = /\/src\/(kit|brand|deals|businesses)\/|\/lucide-react\//

/** Parts that servers draw and browsers fetch late (`kit/browser/late.tsx`). */
const drawnLate =
  /\/src\/(?:app\/screens\/SaidOfDeal|deals\/web\/(?:CounterView|DealStatusBanner)|events\/web\/(?:EventGrid|MarkdownText|VenueMap)|forum\/web\/(?:LinkedCard|TopicsAbout)|ratings\/web\/BusinessRatings|schedule\/web\/SavedEvents|favorites\/web\/SavedHere)\.tsx$/

/** What the programme needs of it, and nothing else. */
const ofProgramme = /\/ui\/Segments\.tsx$|\/icons\/calendar-(?:plus|check)\./

/** The file `name` for the modules that these of `src/app` import, and those in turn; what is fetched later is none. */
function reachedFrom(name: string, starts: string[]) {
  const reached = new Set<string>()
  const include = (id: string, context: Rolldown.ChunkingContext) => {
    if (reached.has(id)) return
    reached.add(id)
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) include(imported, context)
  }
  return (id: string, context: Rolldown.ChunkingContext) => {
    if (reached.size === 0)
      for (const start of starts) include(fileURLToPath(new URL(`src/app/${start}.tsx`, import.meta.url)), context)
    // the entry itself stays apart: it takes over the page, so it runs after the screen has come
    return reached.has(id) && !id.endsWith('/entry.client.tsx') ? name : null
  }
}

/**
 * Parts of the router that are not used here, which the bundler cannot know, 3 kB of every page: its links and what they carry
 * (`app/boot/own-links.ts`), as they are told their names when the library loads; what watches it; and how it asks for lists
 * of screens, as one list holds them all (`routeDiscovery`).
 */
function unusedPartsLeave(): Plugin {
  const parts: [file: RegExp, part: RegExp, instead: string][] = [
    [/\/lib\/dom\/lib\.js/, /^\w+\.displayName = .*$/gm, ''],
    [/\/lib\/dom\/lib\.js/, /^(const \w+ = )(React\$1\.forwardRef\()/gm, '$1/* @__PURE__ */ $2'],
    [/\/lib\/router\/router\.js/, /\b(?:init\.|opts\?\.)instrumentations\b(?=\))/g, 'false'],
    [
      /\/lib\/dom\/ssr\/(?:fog-of-war|components)\.js/,
      /(?<!function )\bisFogOfWarEnabled\(routeDiscovery, ssr\)/g,
      'false',
    ],
  ]
  const found = new Set<RegExp>()
  return {
    name: 'unused-parts-leave',
    transform(code, id) {
      if (!id.includes('/react-router/dist/production/')) return
      const changes = parts.filter(([file]) => file.test(id))
      if (changes.length === 0) return
      for (const [, part] of changes) if (code.search(part) >= 0) found.add(part)
      return { code: changes.reduce((text, [, part, instead]) => text.replace(part, instead), code), map: null }
    },
    // a new release of the router may write them in another way; nobody would notice that they are back
    buildEnd(error) {
      if (error || this.environment.name !== 'client' || this.environment.mode !== 'build') return
      const gone = parts.filter(([, part]) => !found.has(part))
      if (gone.length > 0) this.error(`React Router no longer has ${gone.map(([, part]) => part).join(' and ')}.`)
    },
  }
}

/**
 * The router writes a "#" behind the address of the style sheet, so Vite does not know it again: with the first late part of a
 * page browsers would load it a second time and work out the look of everything anew.
 */
function oneStyleSheet(): Plugin {
  const known = 'styles.add(link.href)'
  let isFound = false
  return {
    name: 'one-style-sheet',
    transform(code, id) {
      if (!id.includes('vite/preload-helper') || !code.includes(known)) return
      isFound = true
      return { code: code.replace(known, "styles.add(link.href.split('#')[0])"), map: null }
    },
    buildEnd(error) {
      if (error || this.environment.name !== 'client' || this.environment.mode !== 'build') return
      if (!isFound) this.error(`Vite no longer has ${known}.`)
    },
  }
}
