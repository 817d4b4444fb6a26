import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'

/** Settings that an open page can change. A story that needs other settings gets a new context. */
const changeable: ReadonlySet<string> = new Set(['viewport', 'colorScheme', 'reducedMotion'])
export const fitsAnyPage = (wanted: BrowserContextOptions) => Object.keys(wanted).every((name) => changeable.has(name))

/** Calls that `leave` cannot undo: after one of these the page is closed. */
const spoil = {
  context: [
    'addInitScript',
    'exposeBinding',
    'exposeFunction',
    'grantPermissions',
    'newCDPSession',
    'setExtraHTTPHeaders',
    'setGeolocation',
    'setOffline',
  ],
  page: ['addInitScript', 'exposeBinding', 'exposeFunction', 'setExtraHTTPHeaders'],
  clock: ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'],
} as const

/** The smallest document of the site: for `about:blank` the browser would start a new process. */
const emptyDocument = '/robots.txt'

export interface UsedPage {
  context: BrowserContext
  page: Page
  /** The settings of its context; a story with other settings opens a new page. */
  key: string
  /** Before a story: applies the settings of the story. */
  enter(wanted: BrowserContextOptions): Promise<void>
  /** Opens the first document of a story, with no history. */
  forgetHistory(): Promise<void>
  /** After a story: cleans up. False: the story changed something that cannot be undone, and the page is closed. */
  leave(): Promise<boolean>
}

/**
 * A page that the stories of a file use one after the other, each as if it were new: without the pages, routes and listeners of the
 * previous story, its cookies, storage and history. Only the process and the compiled files of the site are reused, which
 * saves half of the CPU of a visit. `prepare` runs once, before anything is loaded.
 */
export async function openPage(
  browser: Browser,
  { settings, key, prepare }: { settings: BrowserContextOptions; key: string; prepare: (page: Page) => Promise<void> },
): Promise<UsedPage> {
  const context = await browser.newContext(settings)
  const page = await context.newPage()
  await prepare(page)
  const session = await context.newCDPSession(page)
  const listened = forgettable([context, page])
  let spoilt = false
  const watch = (owner: object, names: readonly string[]) => {
    for (const name of names) {
      const method = (owner as Record<string, (...given: unknown[]) => unknown>)[name]!.bind(owner)
      Object.assign(owner, { [name]: (...given: unknown[]) => ((spoilt = true), method(...given)) })
    }
  }
  watch(context, spoil.context)
  watch(page, spoil.page)
  watch(context.clock, spoil.clock)

  return {
    context,
    page,
    key,
    async enter({ viewport, colorScheme, reducedMotion }) {
      await page.setViewportSize(viewport!)
      await page.emulateMedia({
        media: null,
        forcedColors: null,
        contrast: null,
        colorScheme: colorScheme ?? 'light',
        reducedMotion: reducedMotion ?? 'no-preference',
      })
    },
    async forgetHistory() {
      await session.send('Page.resetNavigationHistory')
    },
    async leave() {
      try {
        if (spoilt || page.isClosed()) throw new Error('It is not as it was.')
        listened.forget()
        for (const other of context.pages()) if (other !== page) await other.close()
        await context.unrouteAll({ behavior: 'ignoreErrors' })
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.goto(emptyDocument, { waitUntil: 'commit' })
        await empty(page, session)
        await context.clearCookies()
        await page.mouse.move(-1, -1)
        return true
      } catch {
        await context.close()
        return false
      }
    },
  }
}

async function empty(page: Page, session: CDPSession) {
  const origin = await page.evaluate(() => {
    sessionStorage.clear()
    window.name = ''
    return location.origin
  })
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb,cache_storage' })
}

type Listen = (event: string, listener: (...given: never[]) => unknown) => unknown
type Emitter = Record<'on' | 'once' | 'addListener' | 'off', Listen>

/** Records listeners that are added from now on. Removing all listeners would also remove Playwright's own. */
function forgettable(emitters: readonly object[]) {
  let listening: (() => void)[] = []
  for (const each of emitters) {
    const emitter = each as Emitter
    for (const name of ['on', 'once', 'addListener'] as const) {
      const listen = emitter[name].bind(emitter)
      Object.assign(emitter, {
        [name]: (...given: Parameters<Listen>) => {
          listening.push(() => void emitter.off(...given))
          return listen(...given)
        },
      })
    }
  }
  return {
    forget() {
      for (const end of listening) end()
      listening = []
    },
  }
}
