export * from './store/event-rows.ts'
export * from './store/programme.ts'
