import { presentChromium } from '../../scripts/find-chromium.ts'
import { measureAnalytics, measureCounting, measureCreateDeal, measureWrites } from '../merchants.ts'
import { measurePictures } from '../pictures.ts'
import { plain, type Row } from './row.ts'

export const merchantParts = ['analytics', 'counting', 'writes', 'create-deal'] as const
type MerchantPart = (typeof merchantParts)[number]

export async function merchantRows({
  is,
  quick,
  seconds,
}: {
  /** Tells which parts are wanted. */
  is: (part: MerchantPart) => boolean
  quick: boolean
  seconds: number
}): Promise<Row[]> {
  const rows: Row[] = []
  const ms = (value: number) => `${value.toFixed(1)} ms`
  if (is('analytics')) {
    const { events, rows: hours, p95Ms } = await measureAnalytics(quick ? 100_000 : 1_000_000, quick ? 20 : 60)
    for (const [range, p95] of Object.entries(p95Ms))
      rows.push(
        plain(
          `Analytics of a merchant with ${events.toLocaleString('en')} events in ${hours.toLocaleString('en')} hours of deals, ${range}: p95`,
          ms(p95),
          '≤ 100 ms',
          p95 <= 100,
        ),
      )
  }
  if (is('counting')) {
    const { quietMs, countingMs, countedPerSecond, failed } = await measureCounting(1000, quick ? 4 : 15)
    rows.push(
      plain(
        `A visitor’s search while ${Math.round(countedPerSecond).toLocaleString('en')} views and clicks a second are counted, median; without`,
        `${ms(countingMs)}; ${ms(quietMs)}${failed > 0 ? ` (${failed} failed)` : ''}`,
        '< 1 ms more',
        countingMs - quietMs < 1 && failed === 0,
      ),
    )
  }
  if (is('writes')) {
    const { oursPerSecond, barePerSecond, failed } = await measureWrites(seconds)
    const ratio = oursPerSecond / barePerSecond
    rows.push({
      what: 'P5 a new deal by a merchant with a token, beside a bare insert of the same row',
      ours: `${Math.round(oursPerSecond).toLocaleString('en')}/s${failed > 0 ? ` (${failed} failed)` : ''}`,
      ceiling: `${Math.round(barePerSecond).toLocaleString('en')}/s`,
      ratio: ratio.toFixed(2),
      bar: '≥ 0.35',
      met: ratio >= 0.35 && failed === 0,
    })
  }
  const chromium = is('create-deal') ? presentChromium() : null
  if (chromium) {
    const interactiveMs = await measureCreateDeal(chromium)
    rows.push(
      plain(
        'Create Deal, interactive on a throttled phone',
        `${interactiveMs.toFixed(0)} ms`,
        '≤ 2.5 s',
        interactiveMs <= 2500,
      ),
    )
  }
  return rows
}

export async function pictureRows(): Promise<Row[]> {
  const rows: Row[] = []
  for (const { what, photosMs, failed, other } of await measurePictures()) {
    const beside = other ? `; the PNG: ${other.status} after ${(other.ms / 1000).toFixed(1)} s` : ''
    rows.push(
      plain(
        `S10 ${what}: the slowest photo`,
        `${(photosMs / 1000).toFixed(1)} s${failed > 0 ? ` (${failed} failed)` : ''}${beside}`,
        '≤ 4 s',
        photosMs <= 4000 && failed === 0 && other?.status !== 0,
      ),
    )
  }
  return rows
}
