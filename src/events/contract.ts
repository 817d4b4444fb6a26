export * from './contract/editing.ts'
export * from './contract/feeds.ts'
export * from './contract/pictures.ts'
export * from './contract/programme.ts'
