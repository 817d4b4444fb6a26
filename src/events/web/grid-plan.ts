import type { Stage } from '../contract.ts'
import { overAt, type GridEvent } from './card-event.ts'
import { groupBy } from '../../kit/shared/group-by.ts'

export const slotMinutes = 5
const slotMs = slotMinutes * 60_000
const hourMs = 60 * 60_000

/** Neighbouring slots of one lane: an event, or empty. */
export interface Cell {
  event: GridEvent | null
  rows: number
}

export interface Lane {
  /** null: events without a place. */
  stage_id: string | null
  stage: string | null
  /** Number of lanes of the stage; 0 in all lanes but the first. */
  span: number
}

export interface GridPlan {
  /** ms since 1970 */
  startsAt: number
  rows: number
  lanes: Lane[]
  /** For each row the cells that begin there, in the order of the lanes. */
  cells: Map<number, { lane: number; cell: Cell }[]>
}

/**
 * Stages side by side, time downwards in slots of five minutes, from the hour of the first event to that of the last end.
 * Events of a stage that overlap get lanes of their own.
 */
export function planGrid(events: readonly GridEvent[], stages: readonly Pick<Stage, 'stage_id'>[]): GridPlan {
  const startsAt = Math.floor(Math.min(...events.map((event) => Date.parse(event.starts_at))) / hourMs) * hourMs
  const endsAt = Math.ceil(Math.max(...events.map(overAt)) / hourMs) * hourMs
  const rows = Math.min(Math.round((endsAt - startsAt) / slotMs), maxRows)
  const rank = new Map(stages.map(({ stage_id }, index) => [stage_id, index]))
  const byStage = [...groupBy(events, (event) => event.stage_id)].toSorted(
    ([a], [b]) => (rank.get(a ?? '') ?? 1e6) - (rank.get(b ?? '') ?? 1e6),
  )
  const lanes: Lane[] = []
  const cells: GridPlan['cells'] = new Map()
  const put = (row: number, lane: number, cell: Cell) => {
    const there = cells.get(row) ?? []
    there.push({ lane, cell })
    cells.set(row, there)
  }
  for (const [stage_id, own] of byStage) {
    const taken = apart(own)
    for (const [index, lane] of taken.entries()) {
      const number = lanes.push({ stage_id, stage: own[0]!.stage, span: index === 0 ? taken.length : 0 }) - 1
      let row = 0
      for (const event of lane) {
        const from = Math.max(row, Math.round((Date.parse(event.starts_at) - startsAt) / slotMs))
        const to = Math.min(rows, Math.max(from + leastRows, Math.round((overAt(event) - startsAt) / slotMs)))
        if (from >= rows) break
        if (from > row) put(row, number, { event: null, rows: from - row })
        put(from, number, { event, rows: to - from })
        row = to
      }
      if (row < rows) put(row, number, { event: null, rows: rows - row })
    }
  }
  for (const there of cells.values()) there.sort((a, b) => a.lane - b.lane)
  return { startsAt, rows, lanes, cells }
}

/** Two days in slots: a wrong date in an import must not make a page of a million rows. */
const maxRows = (2 * 24 * 60) / slotMinutes
/** Least slots of an event, a quarter of an hour, so that its title can be read. */
const leastRows = 3

/** Spreads the events of a stage over as few lanes as possible, without overlaps; each lane in order of time. */
function apart(events: readonly GridEvent[]): GridEvent[][] {
  const lanes: { until: number; events: GridEvent[] }[] = []
  for (const event of events.toSorted((a, b) => a.starts_at.localeCompare(b.starts_at))) {
    const start = Date.parse(event.starts_at)
    const until = Math.max(overAt(event), start + leastRows * slotMs)
    const lane = lanes.find((each) => each.until <= start)
    if (lane) {
      lane.events.push(event)
      lane.until = until
    } else lanes.push({ until, events: [event] })
  }
  return lanes.map((lane) => lane.events)
}
