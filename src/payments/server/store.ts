/** All SQL of payments, by subject. */
export * from './store/facts.ts'
export * from './store/ledger.ts'
export * from './store/checkouts.ts'
export * from './store/customers.ts'
export * from './store/invoices.ts'
export * from './store/billing.ts'
export * from './store/test-provider.ts'
