import { accepted, ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { outbox } from '../../kit/browser/outbox.ts'
import { currentSession, ownerHere } from '../../accounts/web/session.ts'
import { createPost, createTopic } from '../contract.ts'
import { draftOfTopic, newTopicDraft, restoreDraft } from './draft.ts'
import { openPosts } from './post-intents.ts'

const as = 'background'

const posts = openPosts(
  outbox,
  async (idempotency_key, { topic_id, title, body, input }) => {
    const shared = { ...input, body, idempotency_key }
    const { refused } =
      topic_id === null
        ? await ask(callByFetch, accepted(createTopic), { as, body: { ...shared, title } } as never)
        : await ask(callByFetch, accepted(createPost), { as, params: { topic_id }, body: shared } as never)
    return refused
  },
  () => (currentSession() === 'guest' ? null : ownerHere()),
  ({ topic_id, title, body }) =>
    restoreDraft(topic_id === null ? newTopicDraft : draftOfTopic(topic_id), {
      body,
      ...(topic_id === null && { title }),
    }),
)
export const postIntents = posts.intents
export const { add: postLater, waiting: waitingPosts, remove: discardPost, send: sendPosts } = posts
