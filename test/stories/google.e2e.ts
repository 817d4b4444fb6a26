import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startOpenIdPeer } from '../peers/openid.ts'
import { aVisitor, goodPassword, mailTo, post, tokenIn } from '../people.ts'
import { main } from './account-pages.ts'
import { expectAccessible, inBrowser, useBrowser } from './browser.ts'

const client = { id: 'rheinklang', secret: 'only for this story' }
const peer = await startOpenIdPeer(client)

inBrowser('signing in with Google', () => {
  const at = useBrowser({
    now: null,
    env: { GOOGLE_CLIENT_ID: client.id, GOOGLE_CLIENT_SECRET: client.secret, GOOGLE_ISSUER: peer.issuer },
  })
  beforeAll(() => peer.register(`${at.app.url}/api/auth/google/callback`))
  afterAll(() => peer.close())

  it('from the login leads to Google and back to the page from before', async () => {
    peer.is({ sub: 'lena', email: 'lena@google.example', email_verified: true, name: 'Lena Huber' })
    const { page, faults } = await at.visit('/userlogin?next=%2Fcontact', { expected: /foreign request/ })
    await main(page).getByRole('link', { name: 'Sign in with Google' }).click()
    await page.waitForURL('**/googlelogin?next=%2Fcontact')
    // the terms that a new account accepts stand above the button
    const accepts = main(page).getByText('you accept the Terms of Use')
    for (const [name, path] of [
      ['Terms of Use', '/terms'],
      ['Privacy', '/privacy'],
    ] as const)
      await expect.poll(() => accepts.getByRole('link', { name }).getAttribute('href')).toBe(path)
    const top = async (locator: Locator) => (await locator.boundingBox())!.y
    expect(await top(accepts)).toBeLessThan(await top(main(page).getByRole('link', { name: 'Continue with Google' })))
    await expectAccessible(page)
    await main(page).getByRole('link', { name: 'Continue with Google' }).click()
    await page.waitForURL(`${at.app.url}/contact`)
    await page.getByRole('button', { name: 'My Profile' }).waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('userType'))).toBe('user')
    await page.goto('/settings')
    await page.getByText('Linked: you can also log in with Google.').waitFor()
    expect(faults).toEqual([])
  })

  it('asks once for the password of an existing account with that address', async () => {
    const person = await aVisitor(at.app, 'maria@google.example')
    await post(at.app, '/api/auth/verify', { token: tokenIn(await mailTo(at.app, person.email)) })
    peer.is({ sub: 'maria', email: person.email, email_verified: true, name: 'Maria' })
    const { page } = await at.visit('/googlelogin', { expected: /foreign request|401/ })
    await main(page).getByRole('link', { name: 'Continue with Google' }).click()
    await page.getByRole('heading', { name: 'One last step' }).waitFor()
    await expect.poll(() => new URL(page.url()).hash).toBe('')
    await expectAccessible(page)
    await main(page).getByLabel('Password', { exact: true }).fill('not this one')
    await main(page).getByRole('button', { name: 'Link and log in' }).click()
    await page.getByText('Invalid email or password.').waitFor()
    await main(page).getByLabel('Password', { exact: true }).fill(goodPassword)
    await main(page).getByRole('button', { name: 'Link and log in' }).click()
    await page.waitForURL(`${at.app.url}/`)
    await page.evaluate(() => localStorage.clear())
    await page.goto('/socialLogin')
    await main(page).getByRole('link', { name: 'Continue with Google' }).click()
    await page.waitForURL(`${at.app.url}/`)
    await page.getByRole('button', { name: 'My Profile' }).waitFor()
  })

  it('says why it failed', async () => {
    peer.is({ sub: 'nobody', email: 'nobody@google.example', email_verified: false, name: 'Nobody' })
    const { page } = await at.visit('/googlelogin', { expected: /foreign request/ })
    await main(page).getByRole('link', { name: 'Continue with Google' }).click()
    await page.getByText('Google has not confirmed this email address.').waitFor()
    await page.goto('/googlelogin#error=cancelled')
    await page.getByText('You cancelled the sign-in at Google.').waitFor()
    await page.goto('/contact')
    await page.goto('/googlelogin#code=made-up')
    await page.getByText('This sign-in has expired.').waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('authToken'))).toBeNull()
  })

  it('still leads to the requested page after a failed try', async () => {
    const query = '?next=%2Fcontact'
    const expectWays = async (page: Page) => {
      await expect.poll(() => new URL(page.url()).search).toBe(query)
      const again = main(page).getByRole('link', { name: /Try again|Continue with Google/ })
      await expect.poll(() => again.getAttribute('href')).toBe(`/api/auth/google/start${query}`)
      await expect
        .poll(() => main(page).getByRole('link', { name: 'User Login' }).getAttribute('href'))
        .toBe(`/userlogin${query}`)
    }
    peer.is({ sub: 'nobody', email: 'nobody@google.example', email_verified: false, name: 'Nobody' })
    const { page } = await at.visit(`/googlelogin${query}`, { expected: /foreign request|net::|Failed to load|401/ })
    await main(page).getByRole('link', { name: 'Continue with Google' }).click()
    await page.getByText('Google has not confirmed this email address.').waitFor()
    await expectWays(page)

    peer.is({ sub: 'urs', email: 'urs@google.example', email_verified: true, name: 'Urs' })
    await page.route('**/api/auth/google/exchange', (route) => route.abort('connectionfailed'))
    await main(page).getByRole('link', { name: 'Try again' }).click()
    await main(page).getByText('You are offline.').waitFor()
    await expectWays(page)
    await page.unroute('**/api/auth/google/exchange')

    const person = await aVisitor(at.app, 'vreni@google.example')
    await post(at.app, '/api/auth/verify', { token: tokenIn(await mailTo(at.app, person.email)) })
    peer.is({ sub: 'vreni', email: person.email, email_verified: true, name: 'Vreni' })
    await main(page).getByRole('link', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'One last step' }).waitFor()
    await page.reload()
    await main(page).getByRole('link', { name: 'Continue with Google' }).waitFor()
    await expectWays(page)
  })
})
