export * from './editing.ts'
export * from './feeds.ts'
export * from './programme.ts'
export { tellChanges, tellJob, undoChanges, type Changing } from './changes.ts'
