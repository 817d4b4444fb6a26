/** All SQL of the room, by subject. */
export * from './store/notifications.ts'
export * from './store/settings.ts'
export * from './store/push.ts'
export * from './store/personal-data.ts'
