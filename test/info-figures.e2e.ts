import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deletionDays } from '../src/accounts/contract/me.ts'
import { resetMinutes, verificationHours } from '../src/accounts/contract/mailed-links.ts'
import { sessionDays, sessionIdleDays } from '../src/accounts/contract/sessions.ts'
import { familiarDays, securityEventDays } from '../src/accounts/server/retention.ts'
import { locales } from '../src/app/server/languages.ts'
import { activeDealLimits } from '../src/deals/policy.ts'
import { positionTimeoutMs } from '../src/kit/browser/ask-position.ts'
import { priceRappen, promotionDays, promotionRappen } from '../src/payments/policy.ts'
import { unusedClaimDays } from '../src/redemptions/limits.ts'
import { startTestApp, type TestApp } from './start-app.ts'

const units = {
  en: { days: 'days', hours: 'hours', minutes: 'minutes', seconds: 'seconds', deals: 'active deals' },
  de: { days: 'Tagen?', hours: 'Stunden', minutes: 'Minuten', seconds: 'Sekunden', deals: 'aktive Deals' },
  fr: { days: 'jours', hours: 'heures', minutes: 'minutes', seconds: 'secondes', deals: 'offres actives' },
}

/** Each figure of a page with its unit, once: "30 days", "CHF 200". */
function figuresIn(html: string, locale: keyof typeof units): string[] {
  const main = /<main[\s\S]*<\/main>/.exec(html)![0]
  const words = main.replace(/<[^>]*>/g, ' ')
  const found = new Set<string>()
  for (const [unit, name] of Object.entries(units[locale]))
    for (const [, figure] of words.matchAll(new RegExp(`(\\d+)\\s+${name}`, 'g'))) found.add(`${figure} ${unit}`)
  for (const [, before, after] of words.matchAll(/(?:([\d.]+)\s+CHF|CHF\s+([\d.]+))/g))
    found.add(`CHF ${before ?? after}`)
  return [...found].sort()
}

const plans = (['PREMIUM', 'ULTIMATE'] as const).map((tier) => `CHF ${priceRappen({ tier, interval: 'month' }) / 100}`)
const promotion = [`CHF ${promotionRappen / 100}`, `${promotionDays} days`]

/** The figures of each information page, from the constants of the rules. */
const stated = {
  '/terms': [...plans, ...promotion, `${deletionDays} days`],
  '/privacy': [
    `${deletionDays} days`,
    `${familiarDays} days`,
    `${resetMinutes} minutes`,
    `${securityEventDays} days`,
    `${sessionDays} days`,
    `${sessionIdleDays} days`,
    `${unusedClaimDays} days`,
    `${verificationHours} hours`,
  ],
  '/help': [
    ...plans,
    ...promotion,
    `${activeDealLimits.FREE} deals`,
    `${activeDealLimits.PREMIUM} deals`,
    `${positionTimeoutMs / 1000} seconds`,
  ],
  '/learn-more': ['CHF 0', ...plans, ...promotion],
  '/map-data': [],
}

describe('the figures of an information page match the rules', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ pages: true, env: { FESTIVAL_START: '2026-06-18', FESTIVAL_END: '2026-06-21' } })
  })
  afterAll(() => app.close())

  describe.each(Object.entries(stated))('%s', (path, figures) => {
    it.each(locales)('%s', async (locale) => {
      const answer = await fetch(app.url + path, { headers: { 'accept-language': locale } })
      expect(figuresIn(await answer.text(), locale)).toEqual([...new Set<string>(figures)].sort())
    })
  })
})
