/** The room's only server door. */
export { forumLimits, writerOf, type ForumRoom } from './room.ts'
export { getTopic, listCategories, listTopics, editTopic } from './topics.ts'
export { createPost, createTopic } from './writing.ts'
export {
  deletePost,
  editPost,
  flagPost,
  forgetImagesJob,
  forgetUnusedImages,
  getPost,
  likePost,
  listPosts,
  listRevisions,
  previewPost,
  searchForum,
  uploadImage,
} from './posts.ts'
export {
  blockMember,
  getMember,
  getMemberBars,
  getMine,
  getMineOfTopic,
  readTopic,
  unblockMember,
  watchTopic,
} from './members.ts'
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
  countQueued,
  findMember,
  findMemberByHandle,
  isImageSeen,
  listTopicPages,
  lockMemberById,
  memberIdOf,
  membersByIds,
  moderatedOf,
  noteRedeemed,
  postsByIds,
  queuedPosts,
  reopenFlags,
  setFlags,
  setMemberBars,
  standingOf,
  type LockedTopic,
  type MemberRow,
} from './store.ts'
