import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { launchOptions } from '../stories/chromium.ts'
import { phone, type Window } from './engine.ts'

/** A window of Firefox (by WebDriver BiDi) or Chromium (by its own protocol), driven by puppeteer-core. */
export async function startByPuppeteer(
  browser: 'firefox' | 'chrome',
  executablePath: string,
): Promise<{ window: Window; stop(): Promise<void> }> {
  const started = await puppeteer.launch({
    browser,
    executablePath,
    headless: true,
    defaultViewport: phone,
    ...(browser === 'chrome'
      ? { args: [...launchOptions.args, '--lang=en-GB'] }
      : { extraPrefsFirefox: { 'intl.accept_languages': 'en-GB, en', 'ui.prefersReducedMotion': 1 } }),
  })
  const [first] = await started.pages()
  // Firefox does not size its first window
  await first!.setViewport(phone)
  return { window: windowOf(started, first!), stop: () => started.close() }
}

function windowOf(browser: Browser, page: Page): Window {
  page.setDefaultTimeout(60_000)
  return {
    // without a server the browser shows its own error page, which the story will notice
    open: async (url) => void (await page.goto(url, { waitUntil: 'load' }).catch(() => {})),
    reload: async () => void (await page.reload({ waitUntil: 'load' }).catch(() => {})),
    back: async () => void (await page.goBack({ waitUntil: 'load' }).catch(() => {})),
    run: (work, ...args) => page.evaluate(work as never, ...args) as never,
    tap: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    choose: async (selector, file) => {
      const field = await page.$(selector)
      await (field as unknown as { uploadFile(file: string): Promise<void> }).uploadFile(file)
    },
    picture: async () => Buffer.from(await page.screenshot()),
    goOffline: async (isOffline) => (await page.setOfflineMode(isOffline), true),
    another: async () => windowOf(browser, await browser.newPage()),
    close: () => page.close(),
  }
}
