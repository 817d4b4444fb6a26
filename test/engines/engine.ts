import { existsSync } from 'node:fs'

/** The engines of visitors' phones: Chrome and Samsung Internet, Firefox, Safari and all browsers on an iPhone. */
export const engines = ['chromium', 'firefox', 'webkit'] as const
export type EngineName = (typeof engines)[number]

/** One window of a browser with an empty profile, 390 × 844. */
export interface Window {
  open(url: string): Promise<void>
  reload(): Promise<void>
  back(): Promise<void>
  /** Calls a function in the page. It can use only its arguments; arguments and result are sent as JSON. */
  run<Args extends unknown[], Answer>(work: (...args: Args) => Answer, ...args: Args): Promise<Awaited<Answer>>
  /** Taps at a point in CSS pixels of the window: by touch if the driver supports it, else by mouse. */
  tap(x: number, y: number): Promise<void>
  /** Types into the focused element. */
  type(text: string): Promise<void>
  press(key: 'Tab' | 'Enter' | 'ArrowRight'): Promise<void>
  /** Chooses a file of this machine in a field. */
  choose(selector: string, file: string): Promise<void>
  /** A PNG. */
  picture(): Promise<Buffer>
  /** Switches the network off or on. False: the driver cannot. */
  goOffline(isOffline: boolean): Promise<boolean>
  /** Another tab of the same profile. */
  another(): Promise<Window>
  close(): Promise<void>
}

export const phone = { width: 390, height: 844 }

/** Debian's paths of the browsers; null if one is not installed. */
export const firefoxPath = () => present('/usr/bin/firefox-esr')
export const webkitPaths = () => {
  const driver = present('/usr/bin/WebKitWebDriver')
  const browser = ['x86_64', 'aarch64']
    .map((cpu) => present(`/usr/lib/${cpu}-linux-gnu/webkit2gtk-4.1/MiniBrowser`))
    .find((path) => path !== null)
  return driver && browser && present('/usr/bin/Xvfb') ? { driver, browser } : null
}
const present = (path: string) => (existsSync(path) ? path : null)
