import type { LockedTopic } from './store.ts'

/** Whether what is decided about the first post holds for the topic. One that a moderator hid by itself waits for its own restore. */
export const followsFirstPost = (topic: LockedTopic): boolean =>
  topic.state === 'waiting' || (topic.state === 'hidden' && topic.hidden_with_post)
