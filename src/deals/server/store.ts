/** All SQL of deals, by subject. */
export { findDeal, type DealRow } from './store/deal-rows.ts'
export { foldedTag, isTagElsewhere, searchWords, type Moment, type Wanted, type Words } from './store/wanted.ts'
export * from './store/search.ts'
export * from './store/lists.ts'
export * from './store/map.ts'
export * from './store/kept.ts'
export * from './store/editing.ts'
export type { Area } from '../../kit/server/nearby.ts'
