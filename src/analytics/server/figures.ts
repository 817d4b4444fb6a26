import { chfFromRappen } from '../../kit/shared/money.ts'
import { noFigures, type Figures } from '../contract.ts'
import type { CountedRow } from './store.ts'

/** Figures to add to. */
export const newFigures = (): Figures => ({ ...noFigures })

export function add(to: Figures, figures: Figures): void {
  for (const key of Object.keys(figures) as (keyof Figures)[]) to[key] += figures[key]
}

export function addCounted(to: Figures, row: CountedRow): void {
  to.impressions += row.impressions
  to.saves += row.saves
  to.claims += row.claims
  to.redemptions += row.redemptions
  to.sales_chf += chfFromRappen(row.sales_rappen)
}

export function addViews(to: Figures, { views, visitors }: { views: number; visitors: number }): void {
  to.opens += views
  to.visitors += visitors
}

export const rounded = (figures: Figures): Figures => ({
  ...figures,
  sales_chf: Math.round(figures.sales_chf * 100) / 100,
})
