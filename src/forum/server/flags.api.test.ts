import { beforeAll, describe, expect, it } from 'vitest'
import { forumTown } from '../../../test/forum-people.ts'
import { get, type Person } from '../../../test/people.ts'
import type { TestApp } from '../../../test/start-app.ts'
import { newId } from '../../kit/server/ids.ts'

const { town, fresh, established, trusted, send, newTopic, newReply } = forumTown()
let app: TestApp
let lena: Person
let mia: Person
let noah: Person
let staff: Person
let theo: Person
beforeAll(async () => {
  ;({ app, lena, mia, noah, staff } = town)
  theo = await established('theo')
})

const flag = async (postId: string, ...people: Person[]) => {
  for (const person of people)
    expect((await send('POST', `/api/forum/posts/${postId}/flag`, person, { kind: 'spam' })).status).toBe(204)
}
const isSeen = async (postId: string) => (await get(app, `/api/forum/posts/${postId}`)).status === 200
const queued = async () =>
  (await get(app, '/api/forum/moderation/queue?limit=100', staff.authToken)).body as {
    post: { post_id: string }
    flags: { by: string; counts: boolean }[]
  }[]

/** Sets columns of a member. */
const set = async (person: Person, more: Record<string, unknown>) =>
  app.db
    .updateTable('forum_members')
    .set(more)
    .where('account_id', '=', (eb) =>
      eb.selectFrom('accounts').select('account_id').where('email', '=', person.email).where('kind', '=', 'user'),
    )
    .execute()

/** Sets when the account was made; the member may be younger. */
const signedUp = (person: Person, at: Temporal.Instant) =>
  app.db
    .updateTable('accounts')
    .set({ created_at: new Date(at.epochMilliseconds) })
    .where('email', '=', person.email)
    .where('kind', '=', 'user')
    .execute()

/** A reply by Noah; the flags of `flaggers` can hide it. Everybody logs in anew. */
async function aReply(flaggers: Person[]) {
  await fresh()
  const { topic } = await newTopic(lena)
  const { post_id } = await newReply(noah, topic.topic_id, `Something about the ferry. ${newId()}`)
  await trusted(...flaggers)
  return post_id
}

describe('flags on a post', () => {
  it('hide neither a topic nor any of 42 posts when three new accounts flag them; moderators see all at once', async () => {
    const { topic, post } = await newTopic(lena, { title: 'Everything about the boats' })
    const posts = [post.post_id]
    for (let n = 0; n < 42; n++) {
      const author = [lena, mia, noah][n % 3]!
      await set(author, { next_reply_at: null })
      posts.push((await newReply(author, topic.topic_id, `Boat ${n} leaves on time.`)).post_id)
    }
    const attackers: Person[] = []
    for (const name of ['attacker-a', 'attacker-b', 'attacker-c']) attackers.push(await established(name))
    for (const [n, each] of posts.entries()) {
      // one person flags at most 30 posts an hour
      if (n % 25 === 0) await app.db.deleteFrom('rate_limits').where('key', 'like', 'forum-flag:%').execute()
      await flag(each, ...attackers)
    }
    expect((await Promise.all(posts.map(isSeen))).filter((seen) => !seen)).toEqual([])
    expect((await get(app, `/api/forum/topics/${topic.topic_id}`)).status).toBe(200)
    const seen = (await queued()).filter(({ flags }) => flags.some(({ by }) => by === 'attacker-a'))
    expect(seen).toHaveLength(43)
    for (const { flags } of seen) expect(flags.map(({ counts }) => counts)).toEqual([false, false, false])
  })

  it('hide a reply when they come from three independent people known for two days', async () => {
    const post = await aReply([lena, mia, theo])
    await flag(post, lena, mia)
    expect(await isSeen(post)).toBe(true)
    await flag(post, theo)
    expect(await isSeen(post)).toBe(false)
  })

  it.each<[string, Record<string, unknown>]>([
    ['younger than two days', {}],
    ['known by reading alone', { has_redeemed: false }],
    ['not confirmed', { is_verified: false }],
  ])('of an account %s hide nothing', async (_, more) => {
    const post = await aReply([lena, mia, theo])
    if (Object.keys(more).length > 0) await set(theo, more)
    else await signedUp(theo, app.now().subtract({ hours: 47 }))
    await flag(post, lena, mia, theo)
    expect(await isSeen(post)).toBe(true)
    const { flags } = (await queued()).find((one) => one.post.post_id === post)!
    expect(flags.filter(({ counts }) => !counts)).toMatchObject([{ by: 'theo' }])
    expect(flags).toHaveLength(3)
  })

  it('count as one when the three people have logged in from one address', async () => {
    const post = await aReply([lena, mia, theo])
    const address = Buffer.from('one address for all')
    const accounts = app.db.selectFrom('accounts').select('account_id').where('kind', '=', 'user')
    const ids = await accounts.where('email', 'in', [lena.email, mia.email]).execute()
    for (const { account_id } of ids)
      await app.db.insertInto('familiar_addresses').values({ account_id, address, last_used_at: new Date() }).execute()
    await flag(post, lena, mia, theo)
    expect(await isSeen(post)).toBe(true)
    // a fourth, independent person
    const tilda = await established(`tilda${newId().slice(-4)}`)
    await trusted(theo, tilda)
    await flag(post, tilda)
    expect(await isSeen(post)).toBe(false)
  })

  it('count as one when the three people signed up within an hour of each other', async () => {
    const post = await aReply([lena, mia, theo])
    const joined = app.now().subtract({ hours: 24 * 30 })
    for (const [n, person] of [lena, mia, theo].entries()) await signedUp(person, joined.add({ minutes: n * 50 }))
    await flag(post, lena, mia, theo)
    expect(await isSeen(post)).toBe(true)
  })

  it('never hide the first post of a topic', async () => {
    await fresh()
    const { topic, post } = await newTopic(noah)
    await trusted(lena, mia, theo)
    await flag(post.post_id, lena, mia, theo)
    expect(await isSeen(post.post_id)).toBe(true)
    expect((await get(app, `/api/forum/topics/${topic.topic_id}`)).status).toBe(200)
    expect((await queued()).map((one) => one.post.post_id)).toContain(post.post_id)
  })

  it('never hide a post whose author has a higher trust level', async () => {
    const post = await aReply([lena, mia, theo])
    const regular = { replies_written: 3, likes_given: 1, likes_received: 1, joined_at: new Date('2026-01-01') }
    await set(noah, regular)
    await flag(post, lena, mia, theo)
    expect(await isSeen(post)).toBe(true)
    // regulars have the author's level
    for (const person of [lena, mia, theo])
      await set(person, { replies_written: 3, likes_given: 1, likes_received: 1, has_redeemed: false })
    await flag(post, lena, mia, theo)
    expect(await isSeen(post)).toBe(false)
    const newAgain = { replies_written: 0, likes_given: 0, likes_received: 0 }
    for (const person of [lena, mia, theo, noah]) await set(person, newAgain)
  })

  it('hide at most three posts of one author an hour, however many are flagged', async () => {
    await fresh()
    const victim = await established('victim')
    const { topic } = await newTopic(lena)
    const posts: string[] = []
    for (let n = 0; n < 5; n++)
      posts.push((await newReply(victim, topic.topic_id, `Remark ${n} about the boats.`)).post_id)
    await trusted(lena, mia, theo)
    for (const post of posts) await flag(post, lena, mia, theo)
    const seen = async () => Promise.all(posts.map(isSeen))
    expect(await seen()).toEqual([false, false, false, true, true])
    const waiting = (await queued()).map((one) => one.post.post_id)
    expect(waiting).toEqual(expect.arrayContaining(posts))
    // decisions of moderators do not reset the limit
    const restore = { action: 'restore' }
    expect((await send('POST', `/api/forum/moderation/posts/${posts[0]}`, staff, restore)).status).toBe(204)
    await flag(posts[3]!, lena)
    expect(await seen()).toEqual([true, false, false, true, true])
    await fresh(61)
    await trusted(lena, mia, theo)
    await flag(posts[3]!, lena)
    expect(await seen()).toEqual([true, false, false, false, true])
  })

  it('hide at most three posts of one author also when they come at the same moment', async () => {
    await fresh()
    const victim = await established('victim-of-many')
    const { topic } = await newTopic(lena)
    const posts: string[] = []
    for (let n = 0; n < 5; n++)
      posts.push((await newReply(victim, topic.topic_id, `Word ${n} about the fountain.`)).post_id)
    await trusted(lena, mia, theo)
    for (const post of posts) await flag(post, lena, mia)
    await Promise.all(posts.map((post) => flag(post, theo)))
    expect((await Promise.all(posts.map(isSeen))).filter((seen) => !seen)).toHaveLength(3)
  })

  it('count at once when a moderator sends them, however new the account', async () => {
    const post = await aReply([lena, mia])
    await flag(post, lena, mia, staff)
    expect(await isSeen(post)).toBe(false)
  })
})
