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
export { appeal, closeAppealsJob, closeSettledAppeals } from './appeals.ts'
export {
  countWaiting,
  decideAppeal,
  listAppeals,
  listLog,
  listQueue,
  moderateMember,
  moderatePost,
} from './moderation.ts'
export { moderateTopic } from './moderate-topic.ts'
export { moderationUndos } from './undo-moderation.ts'
export { isImageSeen, listTopicPages, noteRedeemed, stepToTopic } from './store.ts'
