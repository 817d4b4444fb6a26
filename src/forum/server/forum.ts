/** The room's only server door. */
export type { ForumRoom } from './room.ts'
export { createPost, createTopic } from './writing.ts'
export {
  correctPost,
  lockModeratedPost,
  lockModeratedTopic,
  mergeTopic,
  setPost,
  setTopic,
  undoCorrection,
  type LockedPost,
} from './moderated.ts'
export {
  changeMember,
  countQueued,
  findMember,
  findMemberByHandle,
  lockMemberById,
  membersByIds,
  moderatedOf,
  postsByIds,
  queuedPosts,
  reopenFlags,
  setFlags,
  standingOf,
  type LockedTopic,
} from './store.ts'
