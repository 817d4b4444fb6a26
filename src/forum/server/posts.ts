import { cursorOf, unknownCursor, writeCursor } from '../../kit/server/cursor.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { isStaff } from '../../accounts/policy.ts'
import { accountsMadeAt, refuseIfWaiting, sharedAddresses } from '../../accounts/server/accounts.ts'
import { Page, totalUpTo } from '../../kit/server/page.ts'
import type { Caller } from '../../kit/server/serve-endpoint.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import {
  editTimeOver,
  notYourPost,
  ownPost,
  postNotFound,
  postsPerPage,
  topicLocked,
  topicNotFound,
  type editPost as editPostEndpoint,
  type flagPost as flagPostEndpoint,
  type listPosts as listPostsEndpoint,
  type Post,
} from '../contract.ts'
import {
  countGroups,
  flagCounts,
  flagsThatHide,
  followsFirstPost,
  hiddenByFlagsAnHour,
  isAuthorOf,
  isEditable,
  levelOf,
  mayWriteIn,
  newMemberLimits,
} from '../policy.ts'
import { postAnswer } from './answers.ts'
import { forgetImagesJob } from './images.ts'
import { guessLanguage } from './language.ts'
import { listedWordIn } from './listed-words.ts'
import { readMarkdown, type ReadText } from '../../kit/server/markdown.ts'
import { findOrInsertMember, lockMember, refuseIfBarred, refuseIfSuspended } from './members.ts'
import { publishPostChange } from './notices.ts'
import { readPost } from './read-post.ts'
import type { ForumRoom, Writer } from './room.ts'
import { isTopicSeenBy } from './topics.ts'
import { hashOf, refuseIfEmpty } from './writing.ts'
import * as store from './store.ts'

/** Posts 1 to 20, 21 to 40 and so on: pages never shift, as deleted posts keep their numbers. @throws `topic_not_found`, `invalid_input` */
export async function listPosts(
  room: ForumRoom,
  topicId: string,
  query: CheckedInput<typeof listPostsEndpoint>['query'],
  who: Caller | null,
): Promise<Page<Post>> {
  const { db } = room
  const after = cursorOf(query.after, ['number'])
  if (after && !Number.isInteger(after[0])) throw unknownCursor()
  if (query.page !== undefined && !Number.isInteger(query.page))
    throw new Refusal(invalidInput, { fields: { page: { key: 'integer' } } })
  const from = after ? after[0] + 1 : ((query.page ?? 1) - 1) * postsPerPage + 1
  const to = from + postsPerPage - 1
  if (!isUuid(topicId) || !(from >= 1 && to < 2 ** 31)) throw new Refusal(topicNotFound)
  const [topic, rows, viewer] = await Promise.all([
    store.findTopicState(db, topicId),
    store.postsBetween(db, topicId, from, to),
    who ? store.findMember(db, who.accountId) : undefined,
  ])
  if (!topic || !(await isTopicSeenBy(who, db, topic))) throw new Refusal(topicNotFound)
  const isTopicSeen = topic.state === 'visible'
  const posts = rows
    .map((row) => postAnswer(room, row, viewer?.member_id ?? null, { isTopicSeen }))
    .filter((post) => post !== null)
  const count = topic.last_number
  return new Page(posts, totalUpTo(count), to < count ? writeCursor([to]) : null)
}

/** One post. Waiting and hidden posts exist only for author and staff, deleted ones for nobody. @throws `post_not_found` */
export async function getPost(room: ForumRoom, postId: string, who: Caller | null): Promise<Post> {
  const { db } = room
  const row = isUuid(postId) ? await store.findPost(db, postId) : undefined
  const viewer = who ? await store.findMember(db, who.accountId) : undefined
  const topic = row && (await store.findTopic(db, row.topic_id))
  const isTopicSeen = topic?.state === 'visible'
  const toStaff = who !== null && isStaff(who.role)
  const post = row ? postAnswer(room, row, viewer?.member_id ?? null, { isTopicSeen, toStaff }) : null
  const isWhole = post && (toStaff || post.state === 'visible' || post.author.member_id === viewer?.member_id)
  if (!isWhole || post.state === 'deleted') throw new Refusal(postNotFound)
  if (!topic || !(await isTopicSeenBy(who, db, topic))) throw new Refusal(postNotFound)
  return post
}

type PostEdit = CheckedInput<typeof editPostEndpoint>['body']

/** Changes an own post within a day; the text before stays in its history. */
export async function editPost(room: ForumRoom, writer: Writer, postId: string, change: PostEdit): Promise<Post> {
  const { db, clock } = room
  const now = asDate(clock.now())
  if (!isUuid(postId)) throw new Refusal(postNotFound)
  refuseIfWaiting(await room.limits.edits.take(writer.who.accountId))
  await db.transaction().execute(async (trx) => {
    const member = await lockMember(room, trx, writer.who.accountId, now)
    refuseIfBarred(member, now)
    await refuseIfSuspended(trx, writer.who)
    const post = await store.lockPost(trx, postId)
    if (!post || post.state === 'deleted') throw new Refusal(postNotFound)
    if (!isAuthorOf(post, member)) throw new Refusal(post.state === 'visible' ? notYourPost : postNotFound)
    const topic = (await store.lockTopic(trx, post.topic_id))!
    const isFirst = post.post_number === 1
    if (topic.state === 'hidden' && !(isFirst && topic.hidden_with_post)) throw new Refusal(postNotFound)
    if (!mayWriteIn(topic, writer.who.role)) throw new Refusal(topicLocked)
    if (!isEditable(post.created_at, now) && change.body !== undefined) throw new Refusal(editTimeOver)
    const body = change.body ?? post.body
    const read = await readPost(trx, body)
    if (change.body !== undefined) refuseIfEmpty(read, post.image_name !== null)
    if (levelOf(member, now) === 0 && read.links > newMemberLimits.links)
      throw new Refusal(invalidInput, {
        fields: { body: { key: 'forum_links', values: { max: newMemberLimits.links } } },
      })
    const isAnother = body !== post.body
    if (isAnother)
      await store.insertRevision(trx, {
        revision_id: newId(),
        post_id: postId,
        body: post.body,
        replaced_at: now,
        replaced_by: member.member_id,
        is_public: post.state === 'visible',
      })
    const lang = change.lang ?? (isAnother ? guessLanguage(read.plain, post.lang) : post.lang)
    await store.changeText(trx, postId, {
      body,
      content: read.content,
      lang,
      body_hash: hashOf(body),
      ...(isAnother ? { edited_at: now } : {}),
      title: isFirst ? topic.title : '',
      plain: read.plain,
    })
    if (isFirst) await store.changeTopic(trx, post.topic_id, { lang, updated_at: now })
    const mayWait = isAnother && post.state === 'visible' && !isStaff(writer.who.role)
    const isNew = levelOf(member, now) === 0
    if (mayWait && (await editNeedsApproval(trx, { post, read, title: isFirst ? topic.title : '', isNew }))) {
      await store.changePost(trx, postId, { state: 'waiting', reason: null })
      if (isFirst) await store.changeTopic(trx, post.topic_id, { state: 'waiting', updated_at: now })
      await store.countTopicPosts(trx, post.topic_id)
    }
    await publishPostChange(room, trx, post.topic_id, post.post_number)
  })
  const row = (await store.findPost(db, postId))!
  return postAnswer(room, row, row.author.member_id)!
}

/**
 * Whether an edit needs approval. After a moderator's correction it always does: the author could put back what was removed. Edits
 * of newcomers need it for listed words, and for a new link while they have no other visible post.
 */
async function editNeedsApproval(
  trx: Sql,
  {
    post,
    read,
    title,
    isNew,
  }: { post: { post_id: string; author_id: string; body: string }; read: ReadText; title: string; isNew: boolean },
): Promise<boolean> {
  if (await store.wasCorrected(trx, post.post_id, post.author_id)) return true
  if (!isNew) return false
  if (listedWordIn(`${title} ${read.plain}`)) return true
  const had = new Set(readMarkdown(post.body).addresses)
  if (read.addresses.every((address) => had.has(address))) return false
  return !(await store.hasVisiblePost(trx, post.author_id, post.post_id))
}

/** Empties an own post: its place stays; text, picture and history are deleted. @throws `post_not_found`, `not_your_post` */
export async function deletePost(room: ForumRoom, who: Caller, postId: string): Promise<null> {
  const { db, clock, jobs } = room
  if (!isUuid(postId)) throw new Refusal(postNotFound)
  await db.transaction().execute(async (trx) => {
    const post = await store.lockPost(trx, postId)
    if (!post || post.state === 'deleted') throw new Refusal(postNotFound)
    const member = await store.findMember(trx, who.accountId)
    if (!isAuthorOf(post, member)) throw new Refusal(post.state === 'visible' ? notYourPost : postNotFound)
    const topic = (await store.lockTopic(trx, post.topic_id))!
    const now = asDate(clock.now())
    await store.emptyPost(trx, postId)
    // moderators have nothing left to decide
    await store.setFlags(trx, postId, 'resolved', now)
    await room.postDeleted(trx, postId)
    await store.countTopicPosts(trx, post.topic_id)
    // a topic without replies is deleted with its only post
    const isFirst = post.post_number === 1
    const isWhole = isFirst && topic.last_number === 1
    // an undecided topic with replies stays in the moderators' queue without its first post
    const isUndecided = post.state === 'waiting' || (post.state === 'hidden' && post.reason === null)
    const isLeft = isFirst && isUndecided && followsFirstPost(topic)
    await store.changeTopic(trx, post.topic_id, {
      ...(isWhole
        ? { state: 'deleted' as const }
        : isLeft
          ? { state: 'waiting' as const, hidden_with_post: false }
          : {}),
      ...(topic.solved_number === post.post_number ? { solved_number: null } : {}),
      updated_at: now,
    })
    await publishPostChange(room, trx, post.topic_id, post.post_number)
    if (post.image_name === null) return
    await store.releaseImage(trx, post.image_name)
    // a job, so that a hanging bucket does not keep the post from being deleted; jobs are retried
    await jobs.enqueue(trx, forgetImagesJob, {})
  })
  return null
}

/** Earlier texts that were public, replaced by the author; for staff all earlier texts. @throws `post_not_found` */
export async function listRevisions({ db }: ForumRoom, postId: string, who: Caller | null) {
  const post = isUuid(postId) ? await store.findPost(db, postId) : undefined
  const topic = post?.state === 'visible' ? await store.findTopic(db, post.topic_id) : undefined
  if (topic?.state !== 'visible') throw new Refusal(postNotFound)
  return store.revisionsOf(db, postId, { all: who !== null && isStaff(who.role) })
}

/** A post that everybody sees, locked until the transaction ends. @throws `post_not_found` */
async function lockSeenPost(trx: Sql, postId: string) {
  const post = await store.lockPost(trx, postId)
  const topic = post?.state === 'visible' ? await store.findTopicState(trx, post.topic_id) : undefined
  if (!post || topic?.state !== 'visible') throw new Refusal(postNotFound)
  return post
}

/** Likes somebody else's post, or takes the like back. Safe to repeat. */
export async function likePost(room: ForumRoom, who: Caller, postId: string, isLiked: boolean): Promise<null> {
  const { db, clock } = room
  const now = asDate(clock.now())
  if (!isUuid(postId)) throw new Refusal(postNotFound)
  const { member_id } = await findOrInsertMember(room, who)
  if (isLiked) refuseIfWaiting(await room.limits.likes.take(member_id))
  await db.transaction().execute(async (trx) => {
    const author = await store.authorOfPost(trx, postId)
    if (author === null) throw new Refusal(postNotFound)
    // lock order: members before posts, as in edits
    await store.lockBothMembers(trx, member_id, author)
    const post = await lockSeenPost(trx, postId)
    if (isAuthorOf(post, { member_id })) throw new Refusal(ownPost)
    refuseIfBarred((await store.findMember(trx, who.accountId))!, now)
    const isChanged = isLiked
      ? await store.insertLike(trx, postId, member_id, now)
      : await store.deleteLike(trx, postId, member_id)
    if (!isChanged) return
    const by = isLiked ? 1 : -1
    await store.addLikes(trx, postId, by)
    await store.addToCounter(trx, member_id, 'likes_given', by)
    await store.addToCounter(trx, post.author_id, 'likes_received', by)
  })
  return null
}

/** Flags a post for moderators; enough flags hide it (`hidesPost`). */
export async function flagPost(
  room: ForumRoom,
  who: Caller,
  postId: string,
  flag: CheckedInput<typeof flagPostEndpoint>['body'],
): Promise<null> {
  const { db, clock } = room
  const now = asDate(clock.now())
  if (!isUuid(postId)) throw new Refusal(postNotFound)
  const member = await findOrInsertMember(room, who)
  refuseIfBarred(member, now)
  refuseIfWaiting(await room.limits.flags.take(member.member_id))
  await db.transaction().execute(async (trx) => {
    // lock order: members before posts, as in edits. It also keeps two posts of one author from being hidden at once.
    const authorId = await store.authorOfPost(trx, postId)
    const author = authorId === null ? undefined : await store.lockMemberById(trx, authorId)
    if (!author) throw new Refusal(postNotFound)
    const post = await lockSeenPost(trx, postId)
    if (isAuthorOf(post, member)) throw new Refusal(ownPost)
    const made = await accountsMadeAt(trx, [who.accountId])
    const given = {
      flag_id: newId(),
      post_id: postId,
      member_id: member.member_id,
      kind: flag.kind,
      note: flag.note ?? null,
      counts: flagCounts({ ...member, account_since: made.get(who.accountId) ?? now }, author, now),
      created_at: now,
    }
    await store.putFlag(trx, given, post.edited_at)
    await store.countFlags(trx, postId)
    if (!(await hidesPost(trx, post, now))) return
    await store.lockTopic(trx, post.topic_id)
    // without a reason: moderators have not decided yet
    await store.changePost(trx, postId, { state: 'hidden', reason: null, hidden_by_flags_at: now })
    await store.countTopicPosts(trx, post.topic_id)
    await publishPostChange(room, trx, post.topic_id, post.post_number)
  })
  return null
}

/**
 * Whether flags hide a post until moderators decide: three that count, by independent people. Never the first post of a topic, and
 * at most three posts of an author an hour.
 */
async function hidesPost(
  trx: Sql,
  { post_id, post_number, author_id }: { post_id: string; post_number: number; author_id: string },
  now: Date,
): Promise<boolean> {
  if (post_number === 1) return false
  const flaggers = await store.countingFlaggers(trx, post_id)
  if (flaggers.length < flagsThatHide) return false
  const made = await accountsMadeAt(trx, flaggers)
  const people = [...made].map(([account_id, account_since]) => ({ account_id, account_since }))
  if (countGroups(people, await sharedAddresses(trx, flaggers)) < flagsThatHide) return false
  const hourAgo = new Date(now.getTime() - 3600 * 1000)
  return (await store.countHiddenByFlags(trx, author_id, hourAgo, hiddenByFlagsAnHour)) < hiddenByFlagsAnHour
}

export async function previewPost({ db }: ForumRoom, { locale }: Writer, body: string) {
  const read = await readPost(db, body)
  return { content: read.content, lang: guessLanguage(read.plain, locale) }
}
