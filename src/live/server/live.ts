import { asDate, type Clock } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import type { House } from '../../kit/server/room.ts'
import type { Caller } from '../../kit/server/access.ts'
import { StreamAnswer } from '../../kit/server/streams.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import { channelsAtMost, type LiveEvent } from '../contract.ts'
import { openHub, type Hub } from './hub.ts'
import * as store from './store.ts'

/** Retention of events: longer than `resumableMinutes`, so that a stream that resumes finds all it missed. */
const retentionMinutes = 60

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

/** The channel that only streams of this account receive. */
export const personalChannel = (accountId: string) => `account:${accountId}`

/** The trigger `tell_ended_sessions` publishes here when the session ends. */
const sessionChannel = (sessionId: string) => `session:${sessionId}`

/**
 * Sends the events to the streams of their channels, on all instances, once the transaction is committed. Anybody can read
 * public channels: publish nothing private in them.
 */
export async function publish({ clock }: { clock: Clock }, trx: Sql, ...events: LiveEvent[]): Promise<void> {
  if (events.length > 0) await store.insertEvents(trx, events, asDate(clock.now()))
}

/** @throws `invalid_input` for a channel that is not public, and for a guest who names none */
export function listen(room: LiveRoom, named: string | undefined, who: Caller | null): StreamAnswer {
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
  store.deleteEventsBefore(db, asDate(clock.now().subtract({ minutes: retentionMinutes })))
