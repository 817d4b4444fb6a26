import { describe, expect, it } from 'vitest'
import * as policy from './policy.ts'

const now = new Date('2026-08-15T20:00:00Z')
const earlier = new Date('2026-08-15T19:00:00Z')
const later = new Date('2026-08-15T21:00:00Z')

describe('a reported deal or rating', () => {
  it('is hidden or dismissed while its case is open', () => {
    expect(policy.reportDecisions.open).toEqual(['hide', 'dismiss'])
  })
  it('can still be hidden after it was dismissed, and only be restored while it is hidden', () => {
    expect(policy.reportDecisions.dismissed).toEqual(['hide'])
    expect(policy.reportDecisions.hidden).toEqual(['restore'])
  })
})

describe('moderators', () => {
  it('approve and reject only posts that wait', () => {
    for (const action of ['approve', 'reject'] as const) {
      expect(policy.canModeratePost(action, 'waiting')).toBe(true)
      expect(policy.canModeratePost(action, 'visible')).toBe(false)
    }
  })
  it('decide nothing about a post that its author has deleted', () => {
    for (const action of ['approve', 'edit', 'reject', 'hide', 'restore', 'take_up', 'dismiss'] as const)
      expect(policy.canModeratePost(action, 'deleted')).toBe(false)
  })
  it('restore hidden topics, and topics that wait although their first post is deleted', () => {
    expect(policy.canRestoreTopic('hidden', 'visible')).toBe(true)
    expect(policy.canRestoreTopic('waiting', 'deleted')).toBe(true)
    expect(policy.canRestoreTopic('waiting', 'waiting')).toBe(false)
  })
  it('give a reason when they take something away', () => {
    expect(['reject', 'hide', 'silence', 'ban'].every(policy.needsReason)).toBe(true)
    expect(['approve', 'restore', 'unsilence', 'unban'].some(policy.needsReason)).toBe(false)
  })
  it('cannot silence or ban staff', () => {
    expect(['moderator', 'admin'].some(policy.canModerateMember)).toBe(false)
    expect(policy.canModerateMember('user')).toBe(true)
  })
})

describe('an appeal', () => {
  it('is possible against a silence or ban that has not run out', () => {
    expect(policy.appealableBars({ silenced_until: later, banned_until: earlier }, now)).toEqual(['member_silence'])
    expect(policy.appealableBars({ silenced_until: null, banned_until: later }, now)).toEqual(['member_ban'])
  })
  it('is possible against a hidden or rejected post, not against one that waits', () => {
    expect(policy.appealablePostDecisions('hidden')).not.toEqual([])
    expect(policy.appealablePostDecisions('rejected')).not.toEqual([])
    expect(policy.appealablePostDecisions('waiting')).toEqual([])
  })
  it('is overturned when the post is visible again, and closed when its author deletes it', () => {
    expect(policy.appealEndOfPost('visible')).toBe('overturned')
    expect(policy.appealEndOfPost('deleted')).toBe('closed')
    expect(policy.appealEndOfPost('hidden')).toBeNull()
  })
  it('is overturned when the silence was lifted, closed when it ran out, and open while it lasts', () => {
    expect(policy.appealEndOfBar(null, now)).toBe('overturned')
    expect(policy.appealEndOfBar(earlier.toISOString(), now)).toBe('closed')
    expect(policy.appealEndOfBar(later.toISOString(), now)).toBeNull()
  })
})
