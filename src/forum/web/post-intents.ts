import { waitsInOutbox, type Intent, type Outbox, type IntentKind } from '../../kit/browser/outbox.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'

/** A reply or a new topic. Its key is that of its draft, so the server stores a post that is sent twice once. */
export interface UnsentPost {
  /** null: a new topic. */
  topic_id: string | null
  /** The topic's title. */
  title: string
  body: string
  /** The other fields of the request. */
  input: Record<string, unknown>
}

const name = 'posts'

/** Posts in the outbox. `owner`: `user-…`, or null for guests. `onRefused` restores the draft of a refused post. */
export function openPosts(
  outbox: Outbox,
  send: (key: string, post: UnsentPost) => Promise<RefusedAnswer | null>,
  owner: () => string | null,
  onRefused: (post: UnsentPost) => void = () => {},
) {
  const intents: IntentKind<UnsentPost, null> = {
    name,
    owner,
    owners: () => [owner() ?? ''],
    empty: null,
    // each post is its own subject, so posts are never merged
    merge: () => undefined,
    apply: () => null,
    async send({ key, data }) {
      const refused = await send(key, data)
      if (!refused) return 'done'
      if (waitsInOutbox(refused)) return 'later'
      onRefused(data)
      return { refused: { code: refused.code, error: refused.error } }
    },
    words: ({ data: { topic_id, title, body } }) => ({
      key: topic_id === null ? 'topic' : 'post',
      values: { title },
      text: body,
    }),
  }
  return {
    intents,
    /** Adds a post, to be sent once there is a network. */
    add: (key: string, post: UnsentPost): void => {
      const author = owner()
      if (author !== null) outbox.add<UnsentPost>({ key, kind: name, owner: author, subject: key, data: post })
    },
    /** Unsent posts in a topic, oldest first; null: new topics. */
    waiting: (topicId: string | null) =>
      outbox
        .of(name, owner() ?? '')
        .filter((each): each is Intent<UnsentPost> => !each.refused && (each.data as UnsentPost).topic_id === topicId),
    remove: (post: Intent): void => outbox.remove([post]),
    send: async (): Promise<void> => void (owner() !== null && (await outbox.send(intents))),
  }
}
