import { hash } from 'node:crypto'
import { findPerson } from '../../accounts/server/accounts.ts'
import { asDate } from '../../kit/server/clock.ts'
import { newId } from '../../kit/server/ids.ts'
import type { Keyring } from '../../kit/server/keyring.ts'
import { drawQr } from '../../kit/shared/qr-code.ts'
import type { Caller } from '../../kit/server/serve-endpoint.ts'
import type { AnswerBody } from '../../kit/shared/endpoint.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { sharedSchedulePage } from '../../site-map.ts'
import { sharedNotFound, type getShared, type shareSchedule as shareEndpoint } from '../contract.ts'
import { sharedPart } from '../policy.ts'
import { entriesOf } from './entries-of.ts'
import { refuseTooManyChanges, type ScheduleRoom } from './room.ts'
import * as store from './store.ts'

/**
 * Secret addresses. A token is made from the id of its link and a key of the installation, so it can be shown again. The database
 * has only its hash, so a copy of the database opens nothing.
 */
const purpose = (kind: store.LinkKind) => `schedule ${kind}`
const tokenLength = 43
const hashOf = (token: string) => hash('sha256', token, 'buffer')
const tokenOf = (mac: Buffer) => mac.toString('base64url')

const addressOf = {
  feed: (origin: string, token: string) => `${origin}/api/schedule/feed/${token}.ics`,
  share: (origin: string, token: string) => `${origin}${sharedSchedulePage(token)}`,
}

/** null: no link, or its token was made with a key that is no longer valid. */
export async function linksOf({ db, keyring }: ScheduleRoom, accountId: string, origin: string) {
  const links = await store.listLinks(db, accountId)
  const url = (kind: store.LinkKind) => {
    const link = links.find((each) => each.kind === kind)
    const token = link && tokenOfLink(keyring, link)
    return token ? addressOf[kind](origin, token) : null
  }
  return { feed_url: url('feed'), share_url: url('share') }
}

function tokenOfLink(keyring: Keyring, { kind, link_id, token_hash }: store.LinkRow): string | null {
  const tokens = keyring.macs(purpose(kind), link_id).map(tokenOf)
  return tokens.find((token) => hashOf(token).equals(token_hash)) ?? null
}

function newLink({ keyring, clock }: ScheduleRoom, accountId: string, kind: store.LinkKind) {
  const linkId = newId()
  const token = tokenOf(keyring.mac(purpose(kind), linkId))
  return { token, link: { accountId, kind, linkId, tokenHash: hashOf(token), now: asDate(clock.now()) } }
}

/** @throws `too_many_requests` */
export async function rotateFeed(room: ScheduleRoom, who: Caller, origin: string): Promise<{ feed_url: string }> {
  await refuseTooManyChanges(room, who)
  const { token, link } = newLink(room, who.accountId, 'feed')
  await store.addLink(room.db, link, 'replace')
  return { feed_url: addressOf.feed(origin, token) }
}

/** The existing link, or a new one. @throws `too_many_requests` */
export async function share(
  room: ScheduleRoom,
  who: Caller,
  origin: string,
): Promise<AnswerBody<typeof shareEndpoint>> {
  await refuseTooManyChanges(room, who)
  const { link } = newLink(room, who.accountId, 'share')
  await store.addLink(room.db, link, 'keep')
  let { share_url } = await linksOf(room, who.accountId, origin)
  if (share_url === null) {
    const another = newLink(room, who.accountId, 'share')
    await store.addLink(room.db, another.link, 'replace')
    share_url = addressOf.share(origin, another.token)
  }
  return { share_url, qr: drawQr(share_url) }
}

/** @throws `too_many_requests` */
export async function unshare(room: ScheduleRoom, who: Caller): Promise<null> {
  await refuseTooManyChanges(room, who)
  await store.deleteLink(room.db, who.accountId, 'share')
  return null
}

/** Account of the link's owner; null: no such link. */
export async function ownerOf({ db }: ScheduleRoom, kind: store.LinkKind, token: string): Promise<string | null> {
  if (token.length !== tokenLength) return null
  return store.ownerOfLink(db, kind, hashOf(token))
}

/** @throws `shared_schedule_not_found` */
export async function findShared(room: ScheduleRoom, token: string): Promise<AnswerBody<typeof getShared>> {
  const accountId = await ownerOf(room, 'share', token)
  const person = accountId === null ? null : await findPerson(room.db, accountId)
  if (accountId === null || !person) throw new Refusal(sharedNotFound)
  const entries = await entriesOf(room, accountId)
  return { owner: person.display_name, entries: entries.map(sharedPart) }
}
