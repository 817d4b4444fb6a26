import { memberNotFound, staffProtected, type moderateMember as moderateMemberEndpoint } from '../../forum/contract.ts'
import { changeMember, findMemberByHandle, lockMemberById } from '../../forum/server/forum.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { RequestContext } from '../../kit/server/serve-endpoint.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import { canModerateMember, needsReason } from '../policy.ts'
import { decide, isoOf, type ModeratedThing } from './decide.ts'
import type { CaseRoom } from './room.ts'

/** A ban ends only when staff lift it. */
const forever = new Date('2200-01-01T00:00:00Z')

/** @throws `member_not_found`, `staff_protected`, `key_used` */
export async function moderateMember(
  room: CaseRoom,
  asking: RequestContext,
  handle: string,
  decision: CheckedInput<typeof moderateMemberEndpoint>['body'],
): Promise<null> {
  const { action, hours = 24, reason = null } = decision
  if (needsReason(action) && reason === null)
    throw new Refusal(invalidInput, { fields: { reason: { key: 'required' } } })
  return decide(room, asking, { operation: 'moderate-member', input: { handle, wish: decision } }, async (trx, now) => {
    const found = await findMemberByHandle(trx, handle.toLowerCase())
    const member = found && (await lockMemberById(trx, found.member_id))
    if (!member) throw new Refusal(memberNotFound)
    if (!canModerateMember(member.role)) throw new Refusal(staffProtected)
    const bar = action === 'silence' || action === 'unsilence' ? 'silenced_until' : 'banned_until'
    const until = { silence: new Date(now.getTime() + hours * 3600 * 1000), ban: forever, unsilence: null, unban: null }
    await changeMember(trx, member.member_id, { [bar]: until[action] })
    return {
      answer: null,
      done: {
        action: 'moderate-member',
        object: { kind: 'member', id: member.member_id, name: member.display_name ?? handle },
        before: { [bar]: isoOf(member[bar]) },
        after: { [bar]: isoOf(until[action]), what: `member_${action}` },
        reason,
      },
    }
  })
}

export async function findMember(_: CaseRoom, trx: Sql, memberId: string): Promise<ModeratedThing | null> {
  const member = await lockMemberById(trx, memberId)
  if (!member) return null
  return {
    fields: { silenced_until: isoOf(member.silenced_until), banned_until: isoOf(member.banned_until) },
    putBack: (before) => changeMember(trx, memberId, before),
  }
}
