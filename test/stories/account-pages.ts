import type { BrowserContext, Page } from 'playwright-core'
import { goodPassword, type Person } from '../people.ts'
import { hydrated } from './browser.ts'

export const main = (page: Page) => page.getByRole('main')

let people = 0
/** An address without an account. */
export const newAddress = () => `person${++people}@example.org`

const storageKeys = ['authToken', 'refreshToken', 'userType', 'businessId'] as const

/** The keys that the specification stores in local storage; null for a missing one. */
export const stored = (page: Page) =>
  page.evaluate((keys) => Object.fromEntries(keys.map((key) => [key, localStorage.getItem(key)])), storageKeys)

/** A browser in which somebody is logged in already. */
export async function loggedIn(context: BrowserContext, person: Person) {
  const values = Object.entries({
    authToken: person.authToken,
    refreshToken: person.refreshToken,
    userType: person.userType,
    businessId: person.businessId,
  }).filter(([, value]) => value !== undefined)
  await context.addInitScript((entries) => {
    if (sessionStorage.getItem('begun')) return
    sessionStorage.setItem('begun', 'yes')
    for (const [key, value] of entries) localStorage.setItem(key, String(value))
  }, values)
}

/**
 * Waits for the form of this address: the address changes a moment before the form, and text typed into the previous form would be
 * lost.
 */
export async function formOfPage(page: Page) {
  await page.waitForFunction(
    () => document.querySelector('main form')?.getAttribute('action') === location.pathname + location.search,
  )
}

/** Fills in the form of a login and sends it. */
export async function logInBy(page: Page, email: string) {
  await hydrated(page)
  await formOfPage(page)
  await main(page).getByLabel('Email').fill(email)
  await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
  await main(page).getByRole('button', { name: 'Log In' }).click()
}
