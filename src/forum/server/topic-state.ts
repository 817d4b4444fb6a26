import type { LockedTopic } from './store.ts'

/** Whether a decision about the first post also applies to the topic. A topic that a moderator hid alone needs its own restore. */
export const followsFirstPost = (topic: LockedTopic): boolean =>
  topic.state === 'waiting' || (topic.state === 'hidden' && topic.hidden_with_post)
