import { expect } from 'vitest'
import { clockOffsetMs, shifted } from '../saturday-evening.ts'
import type { Window } from './engine.ts'

/** What a person looks for on a page: a part by its role and name, a field by its label, or a text. */
export interface Sought {
  role?: 'button' | 'link' | 'heading' | 'field' | 'choice'
  name?: string
  /** A part of the name is enough. */
  isPart?: boolean
  /** Only below what this selects. */
  within?: string
}

/**
 * What each document begins with: the clock of the stories, and a list of everything that must not happen. It outlives the page in
 * the session's storage, so that an error while leaving one is not lost.
 */
export const beginning = () => `{
  globalThis.Date = (${shifted.toString()})(Date, () => ${clockOffsetMs()})
  if (typeof document !== 'undefined') (${listen.toString()})()
}`

function listen() {
  const add = (text: string) => {
    const faults = JSON.parse(sessionStorage.getItem('faults') ?? '[]') as string[]
    sessionStorage.setItem('faults', JSON.stringify([...faults, `${location.pathname} ${text}`]))
  }
  window.addEventListener('error', (event) => {
    // of a picture or script that did not come: the console names it below
    if (event instanceof ErrorEvent) add(`exception: ${event.message}`)
  })
  window.addEventListener('unhandledrejection', (event) => add(`rejection: ${String(event.reason)}`))
  document.addEventListener('securitypolicyviolation', (event) =>
    add(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
  )
  const { error } = console
  console.error = (...said: unknown[]) => {
    add(`console: ${said.map(String).join(' ')}`)
    error(...said)
  }
}

/** Somebody at a window: they find what they see, by its words, and use it. */
export function visitor(window: Window, origin: string) {
  const visitor = {
    window,
    open: async (path: string) => {
      await window.open(origin + path)
    },
    /** Until the page has come alive. */
    alive: () =>
      until(() =>
        window.run(
          () =>
            document.querySelector('[data-account]') !== null ||
            Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__react')),
        ),
      ),
    path: () => window.run(() => location.pathname + location.search),
    isAt: (path: RegExp) => expect.poll(() => visitor.path().catch(() => '')).toMatch(path),
    sees: (text: string) =>
      until(async () => (await window.run(textOf)).includes(squeezed(text)), `the text “${text}”`),
    seesNot: async (text: string) =>
      until(async () => !(await window.run(textOf)).includes(squeezed(text)), `no text “${text}”`),
    finds: (sought: Sought) => until(async () => (await window.run(placeOf, sought)) !== null, JSON.stringify(sought)),
    has: async (sought: Sought) => (await window.run(placeOf, sought)) !== null,
    /** Taps its middle, once that is where it stands and nothing lies above it. */
    tap: async (sought: Sought) => {
      let place: { x: number; y: number } | null = null
      await until(async () => (place = await window.run(placeOf, sought)) !== null, JSON.stringify(sought))
      await window.tap(place!.x, place!.y)
    },
    fill: async (label: string, text: string, within?: string) => {
      await visitor.tap({ role: 'field', name: label, ...(within ? { within } : {}) })
      await window.type(text)
    },
    /** Everything that must not happen and did, on all pages so far of this tab. */
    faults: () => window.run(() => JSON.parse(sessionStorage.getItem('faults') ?? '[]') as string[]),
    sticksOut: () => window.run(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    put: (storage: Record<string, string>) =>
      window.run((entries) => {
        for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
      }, storage),
  }
  return visitor
}
export type Visitor = ReturnType<typeof visitor>

const squeezed = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** A page that is just being left has no answer. */
async function until(holds: () => Promise<boolean>, what = 'that it holds') {
  await expect.poll(() => holds().catch(() => false), { message: what }).toBe(true)
}

function textOf() {
  return document.body.innerText.replaceAll(/\s+/g, ' ')
}

/** The middle of what is sought, scrolled into sight; null where it is not, or moves, or something lies above it. */
async function placeOf({ role, name, isPart, within }: Sought): Promise<{ x: number; y: number } | null> {
  const selectors = {
    button: 'button, summary, [role=button], input[type=submit]',
    link: 'a[href]',
    heading: 'h1, h2, h3',
    field: 'input, textarea, select, [contenteditable]',
    choice: 'label',
  }
  const squeeze = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
  const namesOf = (element: HTMLElement): string[] => {
    const byId = (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id))
    const labels = [...((element as HTMLInputElement).labels ?? [])]
    return [
      element.getAttribute('aria-label') ?? '',
      [...byId, ...labels].map((each) => each?.innerText ?? '').join(' '),
      element.innerText,
      element.textContent ?? '',
    ].map(squeeze)
  }
  const root = within ? [...document.querySelectorAll(within)] : [document.body]
  const found = root
    .flatMap((each) => [...each.querySelectorAll<HTMLElement>(role ? selectors[role] : '*')])
    .filter((element) => {
      const names = namesOf(element)
      return (
        name === undefined || (isPart ? names.some((each) => each.includes(name)) : names.some((each) => each === name))
      )
    })
    .filter((element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible')
  for (const element of found) {
    // whatever lies at the edge is below a bar of the page
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
    const before = element.getBoundingClientRect()
    await new Promise((resolve) => requestAnimationFrame(resolve))
    const { x, y, width, height } = element.getBoundingClientRect()
    if (before.x !== x || before.y !== y) continue
    const middle = { x: x + width / 2, y: y + height / 2 }
    const top = document.elementFromPoint(middle.x, middle.y)
    if (top && (element.contains(top) || top.contains(element))) return middle
  }
  return null
}
