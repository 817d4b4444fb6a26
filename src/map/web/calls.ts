import { apiCall } from '../../kit/browser/asking.ts'
import { list, needed, number, numberOr, or, record, text } from '../../kit/browser/reading.ts'
import type * as contract from '../contract.ts'

/** How screens ask the endpoint of this room, and how tolerantly they read the answer. */

const credits = or(list(record<contract.Credit>({ text: needed, href: (value) => text(value) ?? '' })), [])
const side = (value: unknown) => number(value) ?? undefined

export const mapConfig = apiCall<typeof contract.mapConfig>(
  'GET /api/map/config',
  record<contract.MapConfig>({
    styleUrl: text,
    hosts: or(list(needed), []),
    packUrl: text,
    credits: or(record({ online: credits, pack: credits, drawing: credits }), { online: [], pack: [], drawing: [] }),
    center: record({ latitude: side, longitude: side }),
    zoom: numberOr(13),
    bounds: record({ west: side, south: side, east: side, north: side }),
  }),
)
