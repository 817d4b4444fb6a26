import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../shared/endpoint.ts'
import type { Position } from '../shared/geo.ts'
import type { Clock } from './clock.ts'
import type { Complain } from './complaints.ts'
import type { Database, Opened, Sql } from './database.ts'
import type { DemoSetting } from './demo-rows.ts'
import type { IdLog } from './id-log.ts'
import type { JobHandlers, Jobs } from './jobs.ts'
import type { Keyring } from './keyring.ts'
import type { Limiter } from './limiter.ts'
import type { Mailer } from './mailer.ts'
import type { SecurityLog } from './security-log.ts'
import type { Outside } from './outside.ts'
import type { Operation, Texts } from './serve-endpoint.ts'
import type { FileStore } from './uploads.ts'

/**
 * Settings of rooms by room name, from the configuration. A room adds its line beside its manifest:
 * `declare module '../kit/server/room.ts' { interface RoomSettings { things: ThingSettings } }`.
 */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface RoomSettings {}

/**
 * Questions of lower rooms to the rooms above, by name. A lower room adds a line here, and higher rooms answer in their manifests
 * (`answers`), without knowing each other.
 */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface RoomQuestions {}

/** Services that the roof gives to every room. */
export interface House {
  site: {
    name: string
    zone: string
    centre: Position
    origin: string
    /** First and last day, YYYY-MM-DD; null: not configured. */
    days?: { start: string; end: string } | null
  }
  db: Database
  clock: Clock
  jobs: Jobs
  keyring: Keyring
  files: FileStore
  /** The only way to fetch an address that a user typed. */
  outside: Outside
  /** Ids of people whose data was deleted, so that it is deleted again after a backup was restored. */
  deletions: IdLog
  mailer: Mailer
  texts: Texts
  log: SecurityLog
  complain: Complain
  /**
   * A connection of its own to the primary, outside the pools and past a pooler, so that it may LISTEN. It connects at the first
   * statement, and again after it broke, when `broke` is called. The caller closes it.
   */
  ownConnection: (broke: () => void) => Opened
  limiter: (options: { name: string; points: number; durationS: number }) => Limiter
  settings: RoomSettings
  /** The services (`open`) of a lower room. @throws Error for a room that is not open yet, that is one further up in `app/rooms.ts` */
  of: <Parts>(room: Room<Parts>) => Parts
  /** The answers of rooms to a question, from the highest room down. Call it only when all rooms are open. */
  answersTo: <Question extends keyof RoomQuestions>(question: Question) => RoomQuestions[Question][]
  /** Publishes a fact: enqueues a job for each room that subscribes to it (`onFacts`), in the transaction of the change. */
  publishFact: (trx: Sql, fact: string, data: Record<string, unknown>) => Promise<void>
}

/** A page of the sitemap. */
export interface SitemapEntry {
  path: string
  changed?: Date | string
}

/** Pages of one kind for the sitemap, the newest first. */
export type SitemapShelf = (limit: number) => Promise<SitemapEntry[]>

/**
 * The manifest of a room: all that the roof knows of it. `app/rooms.ts` lists the manifests; server, start, jobs, sitemap, demo and tests
 * derive from them.
 */
export interface Room<Parts = unknown> {
  /** The name of its folder. */
  name: string
  /** Lower rooms that it may import from; lint reads this line. */
  looksInto: readonly string[]
  /** Namespaces of `messages/` that its server uses with `texts.say`; those of mails need not be named. */
  texts?: readonly string[]
  /** Checks the settings before a database is started or used. Throws an Error for the operator. */
  check?(at: Pick<House, 'settings' | 'site'>): Promise<void>
  /** Creates the services of the room's rules. Rooms open from the lowest up. */
  open(house: House): Parts | Promise<Parts>
  operations?(parts: Parts, house: House): Operation[]
  /** Adds routes that are no endpoints, such as pictures. */
  serve?(app: FastifyInstance, parts: Parts, house: House): void
  /** Jobs by queue name; those with `cron` run by themselves. */
  jobs?(parts: Parts, house: House): JobHandlers
  /** Queues whose jobs send mail: retried at once when the mail server works again. */
  mailQueues?: readonly string[]
  /** Enqueues work in the room's tables that has lost its job. Runs at the start and every 15 minutes. */
  requeue?(parts: Parts, house: House): Promise<void>
  /** Subscriptions to facts of lower rooms, by fact (`thing-published`). Each runs as a job, so it may run twice. */
  onFacts?(parts: Parts, house: House): Record<string, (data: Record<string, unknown>) => Promise<void>>
  /** Updates the room's tables at a start, before requests are served, without a time limit. */
  prepare?(at: { db: Database; clock: Clock }): Promise<void>
  /** Seals all sealed values of the room with the current key, after the secret of the installation has changed. */
  sealAnew?(at: { db: Database; keyring: Keyring }): Promise<void>
  /** Fills the room's part of the demo. Runs once per demo database, also in one that is older than the room. */
  demo?(trx: Sql, at: DemoSetting): Promise<void>
  /** Pages for search engines: single pages, and `shelves` of many pages of a kind. */
  sitemap?(parts: Parts): { pages?: SitemapEntry[]; shelves?: Record<string, SitemapShelf> }
  /** Personal pages that search engines must not visit. `$` ends an address, `*` stands for any text. */
  privatePages?: readonly string[]
  /** Files that a page's form sends without scripts, by the page's path: those of its endpoint. */
  pageFiles?: Readonly<Record<string, Endpoint['files']>>
  /** Answers to questions of lower rooms. */
  answers?(parts: Parts): { [Question in keyof RoomQuestions]?: RoomQuestions[Question] }
}

/** All rooms together, once they are open. */
export interface OpenRooms {
  operations(): Operation[]
  jobs(): JobHandlers
  mailQueues(): string[]
  requeue(): Promise<void>
  serve(app: FastifyInstance): void
  sitemap(): { pages: SitemapEntry[]; shelves: Record<string, SitemapShelf> }
  privatePages(): string[]
  pageFiles(): NonNullable<Room['pageFiles']>
}

/** Opens the rooms, the lowest first. */
export async function openRooms(
  rooms: readonly Room[],
  given: Omit<House, 'of' | 'answersTo' | 'publishFact'>,
): Promise<{ house: House; open: OpenRooms }> {
  const parts = new Map<Room, unknown>()
  const factHandlers = new Map<Room, ReturnType<NonNullable<Room['onFacts']>>>()
  const house: House = {
    ...given,
    of<Parts>(room: Room<Parts>) {
      if (!parts.has(room)) throw new Error(`The room ${room.name} is not open yet.`)
      return parts.get(room) as Parts
    },
    answersTo: (question) =>
      rooms.toReversed().flatMap((room) => {
        const answer = room.answers?.(parts.get(room))[question]
        return answer === undefined ? [] : [answer]
      }),
    async publishFact(trx, fact, data) {
      for (const [room, handlers] of factHandlers)
        if (Object.hasOwn(handlers, fact)) await given.jobs.enqueue(trx, queueOf(room, fact), data)
    },
  }
  for (const room of rooms) parts.set(room, await room.open(house))
  for (const room of rooms) if (room.onFacts) factHandlers.set(room, room.onFacts(parts.get(room), house))
  const each = <T>(ask: (room: Room, own: unknown) => T | undefined): T[] =>
    rooms.flatMap((room) => {
      const answer = ask(room, parts.get(room))
      return answer === undefined ? [] : [answer]
    })
  return {
    house,
    open: {
      operations: () => each((room, own) => room.operations?.(own, house)).flat(),
      jobs: () => Object.assign({}, ...each((room, own) => ({ ...room.jobs?.(own, house), ...jobsOfFacts(room) }))),
      mailQueues: () => rooms.flatMap((room) => room.mailQueues ?? []),
      privatePages: () => rooms.flatMap((room) => room.privatePages ?? []),
      pageFiles: () => Object.assign({}, ...rooms.map((room) => room.pageFiles ?? {})),
      async requeue() {
        for (const room of rooms) await room.requeue?.(parts.get(room), house)
      },
      serve: (app) => rooms.forEach((room) => room.serve?.(app, parts.get(room), house)),
      sitemap() {
        const own = each((room, its) => room.sitemap?.(its))
        return {
          pages: own.flatMap(({ pages = [] }) => pages),
          shelves: Object.assign({}, ...own.map(({ shelves }) => shelves ?? {})),
        }
      },
    },
  }

  function jobsOfFacts(room: Room): JobHandlers {
    const handlers = Object.entries(factHandlers.get(room) ?? {})
    return Object.fromEntries(handlers.map(([fact, run]) => [queueOf(room, fact), { run }]))
  }
}

/** pg-boss allows letters, digits, `-`, `_`, `.` and `/` in queue names. */
const queueOf = (room: Room, fact: string) => `${room.name}-hears-${fact}`
