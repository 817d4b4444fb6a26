/** All SQL of deals, by subject. */
export { findDeal, findDeals, type DealRow, type DealsTable } from './store/deal-rows.ts'
export * from './store/questions.ts'
export * from './store/merchant-deals.ts'
export * from './store/editing.ts'
export * from './store/redeeming.ts'
export type { Area } from '../../kit/server/nearby.ts'
