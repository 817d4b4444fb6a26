/** The endpoints of the forum, by subject. */
export * from './limits.ts'
export * from './contract/parts.ts'
export * from './contract/topics.ts'
export * from './contract/posts.ts'
export * from './contract/members.ts'
export * from './contract/moderation.ts'
