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
 * What a room reads from the configuration, by the room's name. A room adds its own line beside its manifest:
 * `declare module '../kit/server/room.ts' { interface RoomSettings { things: ThingSettings } }`.
 */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface RoomSettings {}

/**
 * What lower rooms ask of the rooms above them, by name: a lower room adds a line here, higher rooms answer it in their
 * manifests (`answers`), and neither knows the other.
 */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface RoomQuestions {}

/** What the roof hands to every room. */
export interface House {
  site: {
    name: string
    zone: string
    centre: Position
    origin: string
    /** First and last day, as the operator says, YYYY-MM-DD; null: the operator does not say. */
    days?: { start: string; end: string } | null
  }
  db: Database
  clock: Clock
  jobs: Jobs
  keyring: Keyring
  files: FileStore
  /** The one way to fetch an address that a user typed. */
  outside: Outside
  /** Ids of people whose data was deleted: what a restored backup brings back of them is deleted again. */
  deletions: IdLog
  mailer: Mailer
  texts: Texts
  log: SecurityLog
  complain: Complain
  /**
   * A connection beside the pools, on the writing database; opened with its first statement, and again after it broke, which
   * `broke` is told; past a pooler, so that it may LISTEN. Who opens it closes it.
   */
  ownConnection: (broke: () => void) => Opened
  limiter: (options: { name: string; points: number; durationS: number }) => Limiter
  settings: RoomSettings
  /** What a lower room works with. Throws for a room that is not open yet, i.e. one further up in `app/rooms.ts`. */
  of: <Parts>(room: Room<Parts>) => Parts
  /** What the rooms answer to a question, from the highest room down. Only once all rooms are open. */
  answersTo: <Question extends keyof RoomQuestions>(question: Question) => RoomQuestions[Question][]
  /** Tells the rooms that listen that something happened: a job for each of them, in the transaction of the change. */
  tell: (trx: Sql, fact: string, data: Record<string, unknown>) => Promise<void>
}

/** One page for the sitemap. */
export interface SitemapEntry {
  path: string
  changed?: Date | string
}

/** The pages of one kind for the sitemap, the newest first. */
export type SitemapShelf = (limit: number) => Promise<SitemapEntry[]>

/**
 * The manifest of a room: all that the roof knows of it. A room adds what it has and leaves the rest out; `app/rooms.ts`
 * lists the manifests, and server, start, jobs, sitemap, demo and tests derive from them.
 */
export interface Room<Parts = unknown> {
  /** The name of its folder. */
  name: string
  /** Lower rooms that it may import from; the lint rules read this line. */
  looksInto: readonly string[]
  /** Namespaces of `messages/` from which its server says something by itself (`texts.say`); mails need not be named. */
  texts?: readonly string[]
  /** Throws what is wrong with the settings, before any database is started or asked. */
  check?(at: Pick<House, 'settings' | 'site'>): Promise<void>
  /** Makes what the rules of the room work with. Rooms open from the lowest up. */
  open(house: House): Parts | Promise<Parts>
  operations?(parts: Parts, house: House): Operation[]
  /** Files that are no endpoints, such as pictures. */
  serve?(app: FastifyInstance, parts: Parts, house: House): void
  /** Background work by the name of its queue; with `cron` it runs by itself. */
  jobs?(parts: Parts, house: House): JobHandlers
  /** Queues whose jobs send mail: tried again at once when the mail server is back. */
  mailQueues?: readonly string[]
  /** Enqueues what the room's tables hold and no job works on any more; at the start and every quarter of an hour. */
  requeue?(parts: Parts, house: House): Promise<void>
  /** What happens in lower rooms and matters here, by the name of the fact (`thing-published`). A job, so it may run twice. */
  hears?(parts: Parts, house: House): Record<string, (data: Record<string, unknown>) => Promise<void>>
  /** Brings the room's tables up to date at a start, before anybody is served, without a time limit. */
  prepare?(at: { db: Database; clock: Clock }): Promise<void>
  /** Seals again, with the key of today, all that the room keeps sealed; after the secret of the installation has changed. */
  sealAnew?(at: { db: Database; keyring: Keyring }): Promise<void>
  /** The room's part of the demo; asked for once in a demo database, also in one that was made before the room. */
  demo?(trx: Sql, at: DemoSetting): Promise<void>
  /** Pages for search engines: single ones, and kinds of which there are many. */
  sitemap?(parts: Parts): { pages?: SitemapEntry[]; shelves?: Record<string, SitemapShelf> }
  /** Addresses that belong to one person; search engines stay out. `$` ends an address, `*` stands for anything. */
  privatePages?: readonly string[]
  /** Files that a page's form takes without scripts, by the page's path: those of the endpoint that it hands them to. */
  pageFiles?: Readonly<Record<string, Endpoint['files']>>
  /** Its answers to what lower rooms ask. */
  answers?(parts: Parts): { [Question in keyof RoomQuestions]?: RoomQuestions[Question] }
}

/** The rooms of the house once they are open. */
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

/** Opens the rooms, lowest first, and hands each the house. */
export async function openRooms(
  rooms: readonly Room[],
  given: Omit<House, 'of' | 'answersTo' | 'tell'>,
): Promise<{ house: House; open: OpenRooms }> {
  const parts = new Map<Room, unknown>()
  const hearing = new Map<Room, ReturnType<NonNullable<Room['hears']>>>()
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
    async tell(trx, fact, data) {
      for (const [room, heard] of hearing)
        if (Object.hasOwn(heard, fact)) await given.jobs.enqueue(trx, queueOf(room, fact), data)
    },
  }
  for (const room of rooms) parts.set(room, await room.open(house))
  for (const room of rooms) if (room.hears) hearing.set(room, room.hears(parts.get(room), house))
  const each = <T>(ask: (room: Room, own: unknown) => T | undefined): T[] =>
    rooms.flatMap((room) => {
      const answer = ask(room, parts.get(room))
      return answer === undefined ? [] : [answer]
    })
  return {
    house,
    open: {
      operations: () => each((room, own) => room.operations?.(own, house)).flat(),
      jobs: () => Object.assign({}, ...each((room, own) => ({ ...room.jobs?.(own, house), ...listening(room) }))),
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

  function listening(room: Room): JobHandlers {
    const heard = Object.entries(hearing.get(room) ?? {})
    return Object.fromEntries(heard.map(([fact, hear]) => [queueOf(room, fact), { run: hear }]))
  }
}

/** pg-boss takes letters, digits, `-`, `_`, `.` and `/` in names. */
const queueOf = (room: Room, fact: string) => `${room.name}-hears-${fact}`
