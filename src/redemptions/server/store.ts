/** All SQL of redemptions, by subject. */
export * from './store/claims.ts'
export * from './store/full-deals.ts'
export * from './store/redemptions.ts'
export * from './store/tills.ts'
export * from './store/people.ts'
