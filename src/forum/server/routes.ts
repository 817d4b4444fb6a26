import { knownCaller, operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import * as contract from '../contract.ts'
import { uploadImage } from './images.ts'
import * as members from './members.ts'
import * as posts from './posts.ts'
import { writerOf, type ForumRoom } from './room.ts'
import { searchForum } from './search.ts'
import * as topics from './topics.ts'
import * as writing from './writing.ts'

/** These rules answer exactly the fields of the contract. */
const exact = { exact: true }

export function forumOperations(room: ForumRoom): Operation[] {
  return [
    operation(contract.listForumCategories, () => topics.listCategories(room), exact),
    operation(contract.listTopics, ({ query }) => topics.listTopics(room, query), exact),
    operation(contract.createTopic, ({ body }, asking) => writing.createTopic(room, writerOf(asking), body), exact),
    operation(contract.getTopic, ({ params }, { who }) => topics.getTopic(room, params.topic_id, who), exact),
    operation(contract.editTopic, ({ params, body }, asking) =>
      topics.editTopic(room, knownCaller(asking), params.topic_id, body),
    ),
    operation(
      contract.listPosts,
      ({ params, query }, { who }) => posts.listPosts(room, params.topic_id, query, who),
      exact,
    ),
    operation(
      contract.createPost,
      ({ params, body }, asking) => writing.createPost(room, writerOf(asking), params.topic_id, body),
      exact,
    ),
    operation(contract.watchTopic, ({ params, body }, asking) =>
      members.watchTopic(room, knownCaller(asking), params.topic_id, body.mode),
    ),
    operation(contract.readTopic, ({ params, body }, asking) =>
      members.readTopic(room, knownCaller(asking), params.topic_id, body.post_number),
    ),
    operation(
      contract.getMineOfTopic,
      ({ params, query }, asking) =>
        members.getMineOfTopic(room, knownCaller(asking), params.topic_id, Math.trunc(query.page ?? 1)),
      exact,
    ),
    operation(contract.getPost, ({ params }, { who }) => posts.getPost(room, params.post_id, who), exact),
    operation(
      contract.editPost,
      ({ params, body }, asking) => posts.editPost(room, writerOf(asking), params.post_id, body),
      exact,
    ),
    operation(contract.deletePost, ({ params }, asking) => posts.deletePost(room, knownCaller(asking), params.post_id)),
    operation(contract.listRevisions, ({ params }, { who }) => posts.listRevisions(room, params.post_id, who)),
    operation(contract.likePost, ({ params }, asking) =>
      posts.likePost(room, knownCaller(asking), params.post_id, true),
    ),
    operation(contract.unlikePost, ({ params }, asking) =>
      posts.likePost(room, knownCaller(asking), params.post_id, false),
    ),
    operation(contract.flagPost, ({ params, body }, asking) =>
      posts.flagPost(room, knownCaller(asking), params.post_id, body),
    ),
    operation(contract.searchForum, ({ query }) => searchForum(room, query)),
    operation(contract.previewPost, ({ body }, asking) => posts.previewPost(room, writerOf(asking), body.body), exact),
    operation(contract.uploadForumImage, ({ files }, asking) => uploadImage(room, knownCaller(asking), files['image'])),
    operation(contract.getMember, ({ params }) => members.getMember(room, params.handle)),
    operation(contract.blockMember, ({ params }, asking) =>
      members.blockMember(room, knownCaller(asking), params.handle),
    ),
    operation(contract.unblockMember, ({ params }, asking) =>
      members.unblockMember(room, knownCaller(asking), params.handle),
    ),
    operation(contract.getMine, (_, asking) => members.getMine(room, knownCaller(asking))),
    operation(contract.getMemberBars, ({ params }) => members.getMemberBars(room, params.handle)),
  ]
}
