import { z } from 'zod'
import { answerId, answerList, answerText } from '../kit/shared/answer.ts'
import { endpoint } from '../kit/shared/endpoint.ts'
import { queryBox, queryChoice, queryNumber, queryText } from '../kit/shared/input.ts'
import { invalidInput } from '../kit/shared/refusal.ts'
import { opening } from '../businesses/contract.ts'
import { importingList, importRefusals, listMaxBytes, listReport, staffAlone } from '../staff/contract.ts'

export const placeKinds = ['toilet', 'water', 'first_aid', 'step_free'] as const
export type PlaceKind = (typeof placeKinds)[number]

/** Places per answer, the nearest ones. */
export const placesLimit = 200

export const usefulPlace = z
  .object({
    place_id: answerId,
    place_name: answerText(120).meta({ description: 'empty: it has none beside its kind' }),
    kind: z
      .enum(placeKinds)
      .meta({ unread: 'toilet', description: 'step_free: a ramp, a lift or another way without steps' }),
    latitude: z.number().meta({ unread: undefined }),
    longitude: z.number().meta({ unread: undefined }),
    step_free: z.boolean().nullable().meta({ description: 'null: not known' }),
    opening_hours: answerText(500).nullable().meta({ description: 'in the syntax of OpenStreetMap; null: not known' }),
    ...opening.shape,
    note: answerText(300).nullable().meta({ description: 'how to find it' }),
    distance_km: z.number(),
  })
  .meta({ id: 'UsefulPlace' })
export type UsefulPlace = z.infer<typeof usefulPlace>

export const listPlaces = endpoint({
  method: 'GET',
  path: '/api/places',
  summary: 'Toilets, drinking water, first aid and step-free ways near a place, the nearest first',
  tag: 'places',
  query: z.object({
    q: queryText(200),
    kind: queryChoice(placeKinds),
    radius: queryNumber(0.1, 50).meta({ description: 'km' }),
    lat: queryNumber(-90, 90),
    lon: queryNumber(-180, 180),
    bbox: queryBox(),
  }),
  costly: ({ q }) => q !== undefined,
  access: 'public',
  shared: true,
  answer: answerList(usefulPlace, placesLimit),
  refusals: [invalidInput],
})

export const importPlaces = endpoint({
  method: 'POST',
  path: '/api/admin/places/import',
  summary: 'Takes a list of useful places over, or with dry_run says what it would change',
  tag: 'places',
  files: { file: { maxBytes: listMaxBytes } },
  body: z.object(importingList),
  access: staffAlone,
  staff: { action: 'import-places', inverse: true },
  idempotent: true,
  answersWithinMs: 60_000,
  answer: listReport,
  refusals: importRefusals,
})
