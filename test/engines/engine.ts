import { existsSync } from 'node:fs'

/** The engines that visitors' phones draw with: Chrome and Samsung Internet, Firefox, Safari and all that is on an iPhone. */
export const engines = ['chromium', 'firefox', 'webkit'] as const
export type EngineName = (typeof engines)[number]

/** One window of a browser with an empty profile, 390 × 844. */
export interface Window {
  open(url: string): Promise<void>
  reload(): Promise<void>
  back(): Promise<void>
  /** Calls a function in the page, which sees nothing but its arguments; both they and the answer travel as JSON. */
  run<Args extends unknown[], Answer>(work: (...args: Args) => Answer, ...args: Args): Promise<Awaited<Answer>>
  /** By finger where the engine's driver has one, else by mouse; in pixels of the window. */
  tap(x: number, y: number): Promise<void>
  /** Into what has the focus. */
  type(text: string): Promise<void>
  press(key: 'Tab' | 'Enter' | 'ArrowRight'): Promise<void>
  /** Puts a file of this machine into a field. */
  choose(selector: string, file: string): Promise<void>
  /** A PNG. */
  picture(): Promise<Buffer>
  /** Whether the engine's driver can take its network away; if so, does it. */
  goOffline(isOffline: boolean): Promise<boolean>
  /** Another tab of the same profile. */
  another(): Promise<Window>
  close(): Promise<void>
}

export const phone = { width: 390, height: 844 }

/** Where Debian puts them; null where the machine lacks one. */
export const firefoxPath = () => present('/usr/bin/firefox-esr')
export const webkitPaths = () => {
  const driver = present('/usr/bin/WebKitWebDriver')
  const browser = ['x86_64', 'aarch64']
    .map((cpu) => present(`/usr/lib/${cpu}-linux-gnu/webkit2gtk-4.1/MiniBrowser`))
    .find((path) => path !== null)
  return driver && browser && present('/usr/bin/Xvfb') ? { driver, browser } : null
}
const present = (path: string) => (existsSync(path) ? path : null)
