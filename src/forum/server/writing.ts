import { hash } from 'node:crypto'
import { isStaff } from '../../accounts/policy.ts'
import type { Sql } from '../../kit/server/database.ts'
import { asDate } from '../../kit/server/clock.ts'
import { newId } from '../../kit/server/ids.ts'
import { uploadedName } from '../../kit/server/uploads.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { canBeSeen, isUuid } from '../../kit/shared/input.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import {
  postingLimit,
  postingTooFast,
  postNotFound,
  sameText,
  staffWritesHere,
  topicLocked,
  topicNotFound,
  type createPost as createPostEndpoint,
  type createTopic as createTopicEndpoint,
  type Post,
  type PostLanguage,
} from '../contract.ts'
import {
  isOnDayOne,
  levelOf,
  mayBeginTopicIn,
  mayWriteIn,
  newMemberLimits,
  pace,
  paced,
  sameTextByNewMembers,
  sameTextMinutes,
} from '../policy.ts'
import { postAnswer, topicAnswer } from './answers.ts'
import { guessLanguage } from './language.ts'
import { listedWordIn } from './listed-words.ts'
import type { ReadText } from '../../kit/server/markdown.ts'
import { lockMember, refuseIfBarred, refuseIfSuspended } from './members.ts'
import { refreshTopicPages } from './notices.ts'
import { accountsMentioned, readPost } from './read-post.ts'
import type { ForumRoom, Writer } from './room.ts'
import { emptyTopic, topicColumns } from './topics.ts'
import * as store from './store.ts'
import { forumFacts } from '../limits.ts'

type NewTopic = CheckedInput<typeof createTopicEndpoint>['body']
type NewReply = CheckedInput<typeof createPostEndpoint>['body']

/** A new topic with its first post; if the post needs approval, the topic waits with it. */
export async function createTopic(room: ForumRoom, writer: Writer, topic: NewTopic) {
  const { db, clock } = room
  const now = asDate(clock.now())
  if (!mayBeginTopicIn(topic.category, isStaff(writer.who.role))) throw new Refusal(staffWritesHere)
  const made = await db.transaction().execute(async (trx) => {
    const checked = await prepare(room, trx, writer, 'topic', topic, now)
    if ('sent' in checked) return checked.sent
    const topicId = newId()
    const row = {
      ...emptyTopic,
      ...topicColumns({ ...topic, lang: checked.lang }),
      topic_id: topicId,
      author_id: checked.member.member_id,
      state: checked.state,
    }
    await store.insertTopic(trx, row, now)
    return savePost(room, trx, writer, checked, { topicId, number: 1, title: row.title, replyTo: null, now })
  })
  const [row, post] = await Promise.all([store.findTopic(db, made.topic_id), store.findPost(db, made.post_id)])
  return { topic: topicAnswer(row!), post: postAnswer(room, post!, post!.author.member_id)! }
}

/** A reply. @throws `topic_not_found`, `topic_locked`, `post_not_found`, and those of `prepare` */
export async function createPost(room: ForumRoom, writer: Writer, topicId: string, reply: NewReply): Promise<Post> {
  const { db, clock } = room
  const now = asDate(clock.now())
  if (!isUuid(topicId)) throw new Refusal(topicNotFound)
  const made = await db.transaction().execute(async (trx) => {
    const checked = await prepare(room, trx, writer, 'reply', reply, now)
    if ('sent' in checked) return checked.sent
    await store.lockRepliesShared(trx, topicId.toLowerCase())
    // the topic is locked last, because all its repliers wait for this lock
    const topic = await store.lockTopic(trx, topicId)
    if (!topic || topic.state !== 'visible') throw new Refusal(topicNotFound)
    if (!mayWriteIn(topic, writer.who.role)) throw new Refusal(topicLocked)
    const replyTo = reply.reply_to ?? null
    if (replyTo !== null && (await store.statesOf(trx, topicId, replyTo))?.post !== 'visible')
      throw new Refusal(postNotFound)
    const at = { topicId, number: topic.last_number + 1, title: '', replyTo, now }
    return savePost(room, trx, writer, checked, at)
  })
  const post = (await store.findPost(db, made.post_id))!
  return postAnswer(room, post, post.author.member_id)!
}

/** A text that has passed the rules of writing. */
interface CheckedPost {
  member: store.MemberRow
  read: ReadText
  body: string
  bodyHash: Buffer
  sentKey: Buffer | null
  lang: PostLanguage
  state: 'visible' | 'waiting'
  imageName: string | null
}

/**
 * Checks a text against the rules of writing. `sent`: the post that the same key made before.
 * @throws `silenced`, `banned`, `business_suspended`, `same_text`, `posting_too_fast`, `posting_limit`, `invalid_input`
 */
async function prepare(
  room: Pick<ForumRoom, 'festivalName'>,
  trx: Sql,
  { who, locale, key }: Writer,
  kind: 'topic' | 'reply',
  written: Pick<NewReply, 'body' | 'lang' | 'image_url' | 'idempotency_key'> & { title?: string },
  now: Date,
): Promise<CheckedPost | { sent: { post_id: string; topic_id: string } }> {
  const member = await lockMember(room, trx, who.accountId, now)
  refuseIfBarred(member, now)
  await refuseIfSuspended(trx, who)
  const bodyHash = hashOf(written.body)
  const given = written.idempotency_key ?? key
  const sentKey = given === null ? null : hash('sha256', given + written.body, 'buffer')
  const sent = sentKey && (await store.findSent(trx, member.member_id, sentKey))
  if (sent) return { sent }

  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  if (await store.hasWritten(trx, member.member_id, bodyHash, ago(sameTextMinutes))) throw new Refusal(sameText)
  const isNew = levelOf(member, now) === 0
  if (!isStaff(who.role)) await keepPace(trx, member, kind, isNew, now)

  const read = await readPost(trx, written.body)
  refuseIfEmpty(read, written.image_url !== undefined)
  const imageName = written.image_url === undefined ? null : uploadedName(written.image_url)
  if (written.image_url !== undefined && imageName === null)
    throw new Refusal(invalidInput, { fields: { image_url: { key: 'picture_unknown' } } })
  if (isNew) refuseTooMany(read)
  return {
    member,
    read,
    body: written.body,
    bodyHash,
    sentKey,
    imageName,
    lang: written.lang ?? guessLanguage(`${written.title ?? ''}\n${read.plain}`, locale),
    state:
      isNew && (await newPostNeedsApproval(trx, member, read, written.title ?? '', bodyHash, ago(60)))
        ? 'waiting'
        : 'visible',
  }
}

/** Stores when the member may post next, in the transaction of the post. @throws `posting_too_fast`; `posting_limit` on day one */
async function keepPace(trx: Sql, member: store.MemberRow, kind: 'topic' | 'reply', isNew: boolean, now: Date) {
  const { waitS, next } = paced(kind === 'topic' ? member.next_topic_at : member.next_reply_at, now, pace[kind])
  if (waitS > 0) throw new Refusal(postingTooFast, { retryAfterS: waitS, values: { n: waitS } })
  if (isNew && isOnDayOne(member.joined_at, now)) {
    const { topics, replies } = await store.writtenSince(trx, member.member_id, member.joined_at)
    const isOver =
      kind === 'topic' ? topics >= newMemberLimits.topicsOnDayOne : replies >= newMemberLimits.repliesOnDayOne
    const untilS = Math.ceil((member.joined_at.getTime() + 24 * 3600 * 1000 - now.getTime()) / 1000)
    if (isOver) throw new Refusal(postingLimit, { retryAfterS: untilS, values: { n: Math.ceil(untilS / 3600) } })
  }
  await store.changeMember(
    trx,
    member.member_id,
    kind === 'topic' ? { next_topic_at: next! } : { next_reply_at: next! },
  )
}

/** @throws `invalid_input` without visible text and picture */
export function refuseIfEmpty(read: ReadText, hasPicture: boolean): void {
  if (!hasPicture && !canBeSeen(read.plain)) throw new Refusal(invalidInput, { fields: { body: { key: 'required' } } })
}

function refuseTooMany({ links, mentions }: ReadText) {
  const refuse = (key: string, max: number) => {
    throw new Refusal(invalidInput, { fields: { body: { key, values: { max } } } })
  }
  if (links > newMemberLimits.links) refuse('forum_links', newMemberLimits.links)
  if (mentions.length > newMemberLimits.mentions) refuse('forum_mentions', newMemberLimits.mentions)
}

/** A new member's post waits for approval with listed words, with a link in a first post, and with a text that others just sent. */
async function newPostNeedsApproval(
  trx: Sql,
  member: store.MemberRow,
  read: ReadText,
  title: string,
  bodyHash: Buffer,
  anHourAgo: Date,
): Promise<boolean> {
  if (listedWordIn(`${title} ${read.plain}`)) return true
  if (read.links > 0 && !(await store.hasVisiblePost(trx, member.member_id))) return true
  return (await store.othersWhoWrote(trx, member.member_id, bodyHash, anHourAgo)) >= sameTextByNewMembers
}

/** Inserts the post, counts it, marks it as read by its author, and publishes it if it is visible. */
async function savePost(
  room: ForumRoom,
  trx: Sql,
  { who }: Writer,
  checked: CheckedPost,
  at: { topicId: string; number: number; title: string; replyTo: number | null; now: Date },
): Promise<{ post_id: string; topic_id: string }> {
  const { member, read, state, imageName } = checked
  const postId = newId()
  await store.insertPost(trx, {
    post_id: postId,
    topic_id: at.topicId,
    post_number: at.number,
    author_id: member.member_id,
    created_at: at.now,
    state,
    reply_to: at.replyTo,
    lang: checked.lang,
    image_name: imageName,
    body: checked.body,
    content: read.content,
    body_hash: checked.bodyHash,
    sent_key: checked.sentKey,
    title: at.title,
    plain: read.plain,
  })
  if (imageName !== null && !(await store.useImage(trx, imageName, member.member_id, postId)))
    throw new Refusal(invalidInput, { fields: { image_url: { key: 'picture_unknown' } } })
  await store.noteNewPost(trx, at.topicId, {
    number: at.number,
    at: at.now,
    authorId: member.member_id,
    isVisible: state === 'visible',
  })
  await store.addToCounter(trx, member.member_id, at.number === 1 ? 'topics_written' : 'replies_written', 1)
  await store.noteRead(trx, {
    member_id: member.member_id,
    topic_id: at.topicId,
    read_to: at.number,
    changed_at: at.now,
  })
  if (state === 'visible') await publishPost(room, trx, postId, { accountId: who.accountId, read, ...at })
  return { post_id: postId, topic_id: at.topicId }
}

/** Publishes a visible post: to open pages, and as facts for the notices about replies and mentions. */
export async function publishPost(
  { publishFact, live }: Pick<ForumRoom, 'publishFact' | 'live'>,
  trx: Sql,
  postId: string,
  of: {
    accountId: string | null
    topicId: string
    number: number
    replyTo: number | null
    read: Pick<ReadText, 'mentions'>
  },
): Promise<void> {
  const fact = { post_id: postId, topic_id: of.topicId, post_number: of.number, author_account_id: of.accountId }
  await refreshTopicPages({ live }, trx, of.topicId, of.number)
  await publishFact(trx, forumFacts.postPublished, { ...fact, reply_to: of.replyTo })
  for (const account_id of await accountsMentioned(trx, of.read))
    if (account_id !== of.accountId) await publishFact(trx, forumFacts.mention, { ...fact, account_id })
}

/** Hash of a text. Texts that differ only in case, spaces or punctuation have the same hash. */
export const hashOf = (body: string): Buffer =>
  hash(
    'sha256',
    body
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim() || body.trim(),
    'buffer',
  )
