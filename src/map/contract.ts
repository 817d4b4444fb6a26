import { z } from 'zod'
import { answerList, answerText } from '../kit/shared/answer.ts'
import { endpoint } from '../kit/shared/endpoint.ts'

/** Basemaps in the order in which they are tried. The outline works without WebGL. */
export const basemaps = ['online', 'pack', 'drawing', 'outline'] as const
export type Basemap = (typeof basemaps)[number]

const credit = z.object({
  text: answerText(300).meta({ unread: undefined }),
  href: answerText(500).optional().meta({ description: 'http(s) address of the source or its licence' }),
})
/** Needed: a map has four sides. */
const side = z.number().meta({ unread: undefined })
export type Credit = z.infer<typeof credit>

export const mapConfig = endpoint({
  method: 'GET',
  path: '/api/map/config',
  summary: 'Which basemaps this festival has, whom to credit for them, and where the map begins',
  tag: 'map',
  access: 'public',
  shared: true,
  answer: z.object({
    styleUrl: answerText(2000)
      .nullable()
      .meta({ description: "the operator's online style, with the key filled in; null: none" }),
    hosts: answerList(answerText(300), 21).meta({
      description: 'where an online map may come from besides this server, and who thereby sees the visitor’s address',
    }),
    packUrl: answerText(500).nullable().meta({ description: 'one PMTiles file on this server; null: none' }),
    credits: z
      .object({
        online: answerList(credit, 20),
        pack: answerList(credit, 20),
        drawing: answerList(credit, 20),
      })
      .meta({
        unread: { online: [], pack: [], drawing: [] },
        description: 'to be shown with the basemap in use; an online style may bring more of its own',
      }),
    center: z.object({ latitude: side, longitude: side }),
    zoom: z.number().meta({ unread: 13 }),
    bounds: z
      .object({ west: side, south: side, east: side, north: side })
      .meta({ description: 'degrees; the map cannot be moved out of them' }),
  }),
  refusals: [],
})
export type MapConfig = z.infer<NonNullable<typeof mapConfig.answer>>
