export * from './programme.ts'
