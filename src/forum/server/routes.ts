import { knownWho, operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import * as contract from '../contract.ts'
import * as forum from './forum.ts'

/** These rules answer exactly the fields of the contract. */
const exact = { exact: true }

export function forumOperations(room: forum.ForumRoom): Operation[] {
  return [
    operation(contract.listForumCategories, () => forum.listCategories(room), exact),
    operation(contract.listTopics, ({ query }) => forum.listTopics(room, query), exact),
    operation(contract.createTopic, ({ body }, asking) => forum.createTopic(room, forum.writerOf(asking), body), exact),
    operation(contract.getTopic, ({ params }, { who }) => forum.getTopic(room, params.topic_id, who), exact),
    operation(contract.editTopic, ({ params, body }, asking) =>
      forum.editTopic(room, knownWho(asking), params.topic_id, body),
    ),
    operation(
      contract.listPosts,
      ({ params, query }, { who }) => forum.listPosts(room, params.topic_id, query, who),
      exact,
    ),
    operation(
      contract.createPost,
      ({ params, body }, asking) => forum.createPost(room, forum.writerOf(asking), params.topic_id, body),
      exact,
    ),
    operation(contract.watchTopic, ({ params, body }, asking) =>
      forum.watchTopic(room, knownWho(asking), params.topic_id, body.mode),
    ),
    operation(contract.readTopic, ({ params, body }, asking) =>
      forum.readTopic(room, knownWho(asking), params.topic_id, body.post_number),
    ),
    operation(
      contract.getMineOfTopic,
      ({ params, query }, asking) =>
        forum.getMineOfTopic(room, knownWho(asking), params.topic_id, Math.trunc(query.page ?? 1)),
      exact,
    ),
    operation(contract.getPost, ({ params }, { who }) => forum.getPost(room, params.post_id, who), exact),
    operation(
      contract.editPost,
      ({ params, body }, asking) => forum.editPost(room, forum.writerOf(asking), params.post_id, body),
      exact,
    ),
    operation(contract.deletePost, ({ params }, asking) => forum.deletePost(room, knownWho(asking), params.post_id)),
    operation(contract.listRevisions, ({ params }, { who }) => forum.listRevisions(room, params.post_id, who)),
    operation(contract.likePost, ({ params }, asking) => forum.likePost(room, knownWho(asking), params.post_id, true)),
    operation(contract.unlikePost, ({ params }, asking) =>
      forum.likePost(room, knownWho(asking), params.post_id, false),
    ),
    operation(contract.flagPost, ({ params, body }, asking) =>
      forum.flagPost(room, knownWho(asking), params.post_id, body),
    ),
    operation(contract.searchForum, ({ query }) => forum.searchForum(room, query)),
    operation(
      contract.previewPost,
      ({ body }, asking) => forum.previewPost(room, forum.writerOf(asking), body.body),
      exact,
    ),
    operation(contract.uploadForumImage, ({ files }, asking) =>
      forum.uploadImage(room, forum.writerOf(asking), files['image']),
    ),
    operation(contract.getMember, ({ params }) => forum.getMember(room, params.handle)),
    operation(contract.blockMember, ({ params }, asking) => forum.blockMember(room, knownWho(asking), params.handle)),
    operation(contract.unblockMember, ({ params }, asking) =>
      forum.unblockMember(room, knownWho(asking), params.handle),
    ),
    operation(contract.getMine, (_, asking) => forum.getMine(room, knownWho(asking))),
    operation(contract.getMemberBars, ({ params }) => forum.getMemberBars(room, params.handle)),
  ]
}
