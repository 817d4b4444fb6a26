import { apiCall } from '../../kit/browser/asking.ts'
import { flag, list, needed, number, numberOr, oneOf, record, text, textOr } from '../../kit/browser/reading.ts'
import type * as contract from '../contract.ts'

/** How screens ask the endpoint of this room, and how tolerantly they read the answer. */
const kinds = ['toilet', 'water', 'first_aid', 'step_free'] as const
const degree = (value: unknown) => number(value) ?? undefined

export const listPlaces = apiCall<typeof contract.listPlaces>(
  'GET /api/places',
  list(
    record<contract.UsefulPlace>({
      place_id: needed,
      place_name: textOr(''),
      kind: oneOf(kinds, 'toilet'),
      latitude: degree,
      longitude: degree,
      step_free: flag,
      note: text,
      distance_km: numberOr(0),
    }),
  ),
)
