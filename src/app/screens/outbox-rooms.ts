import { outbox, type Intent, type Room, type Words } from '../../kit/browser/outbox.ts'
import { ownerHere } from '../../accounts/web/session.ts'
import { favoritesRoom, sendSaved } from '../../favorites/web/saved.ts'
import { postsRoom, sendPosts } from '../../forum/web/unsent-posts.ts'
import { scheduleRoom, sendChanges } from '../../schedule/web/my-schedule.ts'

/** Rooms whose intents belong to who is logged in. */
const rooms = [favoritesRoom, scheduleRoom, postsRoom] as unknown as readonly Room<never, never>[]

/** Sends what waits, as far as the server can be reached. */
export const sendUnsent = () => Promise.all([sendSaved(), sendChanges(), sendPosts()])

/** What is not done of who is here: what waits, or what the server has refused. */
export const ownIntents = (isRefused: boolean): { intent: Intent; words: Words }[] =>
  rooms.flatMap((room) =>
    outbox
      .of(room.name, ownerHere())
      .filter(({ refused }) => (refused !== undefined) === isRefused)
      .map((intent) => ({ intent, words: room.words(intent as never) })),
  )
