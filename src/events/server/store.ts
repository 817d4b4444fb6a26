export * from './store/event-rows.ts'
export * from './store/pages.ts'
export * from './store/programme.ts'
