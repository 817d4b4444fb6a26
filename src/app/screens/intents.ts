import { outbox, type Intent, type IntentKind, type Words } from '../../kit/browser/outbox.ts'
import { ownerHere } from '../../accounts/web/session.ts'
import { favoriteIntents, sendSaved } from '../../favorites/web/saved.ts'
import { postIntents, sendPosts } from '../../forum/web/unsent-posts.ts'
import { scheduleIntents, sendChanges } from '../../schedule/web/my-schedule.ts'

/** Kinds whose intents belong to who is logged in. */
const kinds = [favoriteIntents, scheduleIntents, postIntents] as unknown as readonly IntentKind<never, never>[]

/** For `sendUnsent`, which loads this file only when there is something to send. */
export const sendAllKinds = () => Promise.all([sendSaved(), sendChanges(), sendPosts()])

/** Intents of who is logged in that wait, or that the server has refused. */
export const ownIntents = (isRefused: boolean): { intent: Intent; words: Words }[] =>
  kinds.flatMap((kind) =>
    outbox
      .of(kind.name, ownerHere())
      .filter(({ refused }) => (refused !== undefined) === isRefused)
      .map((intent) => ({ intent, words: kind.words(intent as never) })),
  )
