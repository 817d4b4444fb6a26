/** Endpoints of cases, by subject. */
export * from './contract/reports.ts'
export * from './contract/moderation.ts'
