import { shouldRetry, type Intent, type Outbox, type Room } from '../../kit/browser/outbox.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'

/** A reply or a new topic; its key is that of its draft, so that the same one sent twice is one. */
export interface UnsentPost {
  /** null: of a new topic. */
  topic_id: string | null
  /** Of the topic. */
  title: string
  body: string
  /** What else is sent of it. */
  input: Record<string, unknown>
}

const name = 'posts'

/** Posts that were written without a network. `owner`: `user-…`, or null for guests; `isRefused` gives the text back. */
export function openPosts(
  outbox: Outbox,
  send: (key: string, post: UnsentPost) => Promise<RefusedAnswer | null>,
  owner: () => string | null,
  isRefused: (post: UnsentPost) => void = () => {},
) {
  const room: Room<UnsentPost, null> = {
    name,
    owner,
    owners: () => [owner() ?? ''],
    empty: null,
    // a post is its own subject
    merge: () => undefined,
    apply: () => null,
    async send({ key, data }) {
      const refused = await send(key, data)
      if (!refused) return 'done'
      if (shouldRetry(refused)) return 'later'
      isRefused(data)
      return { refused: { code: refused.code, error: refused.error } }
    },
    words: ({ data: { topic_id, title, body } }) => ({
      key: topic_id === null ? 'topic' : 'post',
      values: { title },
      text: body,
    }),
  }
  return {
    room,
    /** Sent once there is a network. */
    add: (key: string, post: UnsentPost): void => {
      const of = owner()
      if (of !== null) outbox.add<UnsentPost>({ key, room: name, owner: of, subject: key, data: post })
    },
    /** What waits for a topic, the first first; null: new topics. */
    waiting: (topicId: string | null) =>
      outbox
        .of(name, owner() ?? '')
        .filter((each): each is Intent<UnsentPost> => !each.refused && (each.data as UnsentPost).topic_id === topicId),
    remove: (post: Intent): void => outbox.remove([post]),
    send: async (): Promise<void> => void (owner() !== null && (await outbox.send(room))),
  }
}
