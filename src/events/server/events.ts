export * from './feeds.ts'
export * from './programme.ts'
