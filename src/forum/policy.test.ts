import { expect, it } from 'vitest'
import { roles } from '../accounts/limits.ts'
import { forumCategories } from './limits.ts'
import * as policy from './policy.ts'

const now = new Date('2026-06-20T18:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 3600 * 1000)
const newcomer = {
  role: 'user',
  is_verified: true,
  joined_at: daysAgo(2),
  account_since: daysAgo(2),
  replies_written: 3,
  posts_read: 0,
  likes_given: 1,
  likes_received: 1,
  has_redeemed: false,
}
const regular = { ...newcomer, posts_read: 30 }
const level = (more: object) => policy.levelOf({ ...regular, ...more }, now)

it('trust grows with a verified email and posts read or a deal redeemed, then with replies, likes and days', () => {
  expect([level({}), level({ role: 'moderator', is_verified: false })]).toEqual([2, 2])
  expect([level({ is_verified: false }), level({ posts_read: 29 })]).toEqual([0, 0])
  expect(level({ posts_read: 0, has_redeemed: true, replies_written: 2 })).toBe(1)
  expect([{ likes_given: 0 }, { likes_received: 0 }, { joined_at: daysAgo(1) }].map(level)).toEqual([1, 1, 1])
})

it('only staff begin topics under Announcements', () => {
  expect(forumCategories.filter((category) => !policy.mayBeginTopicIn(category, false))).toEqual(['announcements'])
  expect(policy.mayBeginTopicIn('announcements', true)).toBe(true)
})

it('authors see their topics that wait or are hidden with the first post, staff all but deleted and merged ones', () => {
  const seen = (viewer: { role: string; isAuthor: boolean } | null, hidden_with_post = false) =>
    ['visible', 'waiting', 'hidden', 'deleted', 'merged'].filter((state) =>
      policy.maySeeTopic({ state, hidden_with_post }, viewer),
    )
  expect([seen(null), seen({ role: 'user', isAuthor: false }, true)]).toEqual([['visible'], ['visible']])
  expect(seen({ role: 'user', isAuthor: true })).toEqual(['visible', 'waiting'])
  expect(seen({ role: 'user', isAuthor: true }, true)).toEqual(['visible', 'waiting', 'hidden'])
  expect(seen({ role: 'admin', isAuthor: false })).toEqual(['visible', 'waiting', 'hidden'])
})

it('only staff write in a locked topic, everybody in an open one', () => {
  expect(roles.filter((role) => policy.mayWriteIn({ is_locked: true }, role))).toEqual(['moderator', 'admin'])
  expect(roles.filter((role) => policy.mayWriteIn({ is_locked: false }, role))).toEqual([...roles])
})

it('a post is its author’s for editing, during 24 hours', () => {
  expect(policy.isAuthorOf({ author_id: 'lena' }, { member_id: 'lena' })).toBe(true)
  expect(policy.isAuthorOf({ author_id: 'lena' }, { member_id: 'noah' })).toBe(false)
  expect(policy.isAuthorOf({ author_id: 'lena' }, undefined)).toBe(false)
  expect([0.99, 1].map((days) => policy.isEditable(daysAgo(days), now))).toEqual([true, false])
})

it('flags count of staff, and of people known for two days whose level is not below the author’s', () => {
  const counts = (flagger: object, author: object) =>
    policy.flagCounts({ ...newcomer, ...flagger }, { ...newcomer, ...author }, now)
  const known = { has_redeemed: true, replies_written: 0 }
  expect([counts(known, {}), counts({ role: 'admin' }, regular)]).toEqual([true, true])
  expect([counts(known, regular), counts({ ...known, account_since: daysAgo(1) }, {})]).toEqual([false, false])
  expect([counts({ posts_read: 30, replies_written: 0 }, {}), counts(regular, { role: 'admin' })]).toEqual([
    false,
    false,
  ])
})

it('people who signed up within an hour, or share an address, are one group', () => {
  const people = [0, 0.5, 5, 9].map((hours, n) => ({ account_id: `${n}`, account_since: daysAgo(9 - hours / 24) }))
  expect([policy.countGroups(people, []), policy.countGroups(people, [['1', '3']])]).toEqual([3, 2])
})

it('five replies come at once, the sixth half a minute later', () => {
  let next: Date | null = null
  for (let n = 0; n < 5; n++) next = policy.paced(next, now, policy.pace.reply).next
  expect(policy.paced(next, now, policy.pace.reply)).toEqual({ waitS: 30, next: null })
})
