/** All SQL of the room, by subject. */
export * from './store/members.ts'
export * from './store/topics.ts'
export * from './store/posts.ts'
export * from './store/marks.ts'
export * from './store/hearing.ts'
export * from './store/search.ts'
export * from './store/kept.ts'
export * from './store/moderation.ts'
