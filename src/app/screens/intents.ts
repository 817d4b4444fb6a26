import { outbox, type Intent, type IntentKind, type Words } from '../../kit/browser/outbox.ts'
import { ownerHere } from '../../accounts/web/session.ts'
import { favoriteIntents, sendSaved } from '../../favorites/web/saved.ts'
import { postIntents, sendPosts } from '../../forum/web/unsent-posts.ts'
import { scheduleIntents, sendChanges } from '../../schedule/web/my-schedule.ts'

/** Kinds whose intents belong to who is logged in. */
const kinds = [favoriteIntents, scheduleIntents, postIntents] as unknown as readonly IntentKind<never, never>[]

/** Sends what waits, as far as the server can be reached. */
export const sendUnsent = () => Promise.all([sendSaved(), sendChanges(), sendPosts()])

/** What is not done of who is here: what waits, or what the server has refused. */
export const ownIntents = (isRefused: boolean): { intent: Intent; words: Words }[] =>
  kinds.flatMap((kind) =>
    outbox
      .of(kind.name, ownerHere())
      .filter(({ refused }) => (refused !== undefined) === isRefused)
      .map((intent) => ({ intent, words: kind.words(intent as never) })),
  )
