/**
 * Rooms that screens and texts already speak of and that the site does not have yet. What speaks of them carries "Opens
 * soon". Take a room off this list the day it opens; nothing else has to change.
 */
const toCome: readonly Room[] = []

/** `merchants`: editing the profile and deals. */
export type Room = 'accounts' | 'map' | 'merchants' | 'events' | 'forum' | 'payments' | 'schedule'

export const isOpen = (room: Room): boolean => !toCome.includes(room)

/** What screens ask of these rooms already, as specified; it answers 404 until the room opens. */
export const endpointsToCome: readonly string[] = []
