import type { Clock } from '../../kit/server/clock.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import type { House } from '../../kit/server/room.ts'
import type { Who } from '../../kit/server/access.ts'
import { StreamAnswer } from '../../kit/server/streams.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import { channelsAtMost } from '../contract.ts'
import { openHub, type Hub } from './hub.ts'
import * as store from './store.ts'

export type { Told } from './store.ts'

/** Rows stay a while longer than a stream may be away. */
const keptMinutes = 60

export interface LiveRoom {
  db: Database
  clock: Clock
  hub: Hub
  isPublic: (channel: string) => boolean
}

export function openLive({ db, clock, complain, ownConnection, answersTo }: House): LiveRoom {
  return {
    db,
    clock,
    hub: openHub({ clock, complain, ownConnection }),
    isPublic: (channel) => {
      const [kind, ...id] = channel.split(':')
      return /^[\w-]{0,60}$/.test(id.join(':')) && answersTo('publicChannels').flat().includes(kind!)
    },
  }
}

/** The channel that only this account hears. */
export const personalChannel = (accountId: string) => `account:${accountId}`

/** What the database tells of a session that is over (`tell_ended_sessions`). */
const sessionChannel = (sessionId: string) => `session:${sessionId}`

/**
 * Tells everybody who listens, on all instances, once the transaction of the change is committed. Public channels hold
 * nothing but what everybody may read.
 */
export async function publish({ clock }: { clock: Clock }, trx: Sql, ...told: store.Told[]): Promise<void> {
  if (told.length > 0) await store.insertEvents(trx, told, asDate(clock.now()))
}

/** Throws `invalid_input` for a channel that is not public, and for a guest who names none. */
export function listen(room: LiveRoom, named: string | undefined, who: Who | null): StreamAnswer {
  const channels = [...new Set((named ?? '').split(',').filter(Boolean))]
  const fault =
    channels.length === 0 && !who
      ? 'required'
      : channels.length > channelsAtMost || !channels.every(room.isPublic)
        ? 'invalid'
        : null
  if (fault) throw new Refusal(invalidInput, { fields: { channels: { key: fault } } })
  if (who) channels.push(personalChannel(who.accountId))
  return new StreamAnswer((stream) => room.hub.join(channels, stream, who && sessionChannel(who.sessionId)))
}

export const forgetEvents = ({ db, clock }: LiveRoom): Promise<void> =>
  store.deleteEventsBefore(db, asDate(clock.now().subtract({ minutes: keptMinutes })))
