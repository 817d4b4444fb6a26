import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findBusiness } from '../../businesses/server/businesses.ts'
import { findDeal, type DealRoom } from '../../deals/server/deals.ts'
import { findEvent, type EventRoom } from '../../events/server/events.ts'
import { whileReading } from '../../kit/server/database.ts'
import { loadSharp, uploadedName } from '../../kit/server/uploads.ts'
import { inLineOf, fairTurns } from '../../kit/server/fair-turns.ts'
import { BoundedCache } from '../../kit/server/bounded-cache.ts'
import { networkOf } from '../../kit/server/network.ts'
import { daysText } from '../../brand/festival-days.ts'
import { posterOgSvg } from '../../brand/posters/poster-og.ts'
import { factsOfDeal, factsOfEvent } from './sharing-facts.ts'
import { notFound, Refusal } from '../../kit/shared/refusal.ts'
import type { Config } from '../config.ts'
import type { AskDays } from './festival-days.ts'

const cacheBytes = 32 * 1024 * 1024
/** `patienceMs`: a full queue takes about 3 s at 30 ms a picture, and a slow machine needs longer. */
const inTurn = fairTurns({ name: 'sharing pictures', slots: 2, perAddress: 100, most: 200, patienceMs: 10_000 })

/**
 * Serves `/og/deal/{id}.png`, `/og/event/{id}.png`, `/og/business/{id}.png` and `/og/site.png`: the pictures that other sites show
 * for a page, 1200 × 630, with the poster or the event's picture beside the title. A deal that visitors cannot see,
 * such as a draft, has no picture.
 */
export function serveSharingPictures(
  app: FastifyInstance,
  deals: DealRoom,
  events: EventRoom,
  festival: Config['festival'],
  festivalDays: AskDays,
) {
  const pictures = pictureCache()
  const serve = async (
    request: FastifyRequest,
    reply: FastifyReply,
    of: Parameters<typeof posterOgSvg>[0],
    /** Name of an upload, shown instead of the poster. */
    upload: string | null = null,
  ) => {
    const svg = posterOgSvg(of)
    // hash the upload's name, not its content: no two uploads have the same name
    const tag = createHash('sha256')
      .update(svg + (upload ?? ''))
      .digest('base64url')
      .slice(0, 22)
    const draw = async () => {
      const file = upload === null ? null : await events.files.get(upload)
      return file ? photoPng(posterOgSvg({ ...of, photo: await photoBeside(file) })) : posterPng(svg)
    }
    const isKnown = request.headers['if-none-match']?.includes(`"${tag}"`)
    const png = isKnown ? undefined : await inLineOf(networkOf(request.ip), () => pictures(tag, draw))
    reply
      .header('etag', `"${tag}"`)
      .header('cache-control', 'public, max-age=86400')
      .header('content-security-policy', "default-src 'none'; sandbox")
      // lets other sites embed the picture
      .header('cross-origin-resource-policy', 'cross-origin')
    return png ? reply.type('image/png').send(png) : reply.status(304).send()
  }

  app.get('/og/site.png', async (request, reply) => {
    const days = await festivalDays()
    return serve(request, reply, {
      id: 'river-2',
      kind: 'event',
      category: 'music',
      title: 'Music & Deals in Basel',
      by: days ? daysText('en', days) : `${festival.name} ${festival.edition}`,
    })
  })
  app.get<{ Params: { file: string } }>('/og/deal/:file', async (request, reply) => {
    const deal = await whileReading(() => findDeal(deals, idIn(request.params.file)), { mayLag: true })
    const { deal_id: id, category, deal_name: title, business_name: by } = deal
    return serve(request, reply, { id, kind: 'deal', category, title, by, facts: factsOfDeal(deal, festival.zone) })
  })
  app.get<{ Params: { file: string } }>('/og/event/:file', async (request, reply) => {
    const event = await whileReading(() => findEvent(events, idIn(request.params.file)), { mayLag: true })
    const { event_id: id, category, title, stage, venue } = event
    const by = stage ?? venue?.venue_name ?? festival.name
    const facts = factsOfEvent(event, festival.zone)
    return serve(request, reply, { id, kind: 'event', category, title, by, facts }, uploadedName(event.image_url))
  })
  app.get<{ Params: { file: string } }>('/og/business/:file', async (request, reply) => {
    const business = await whileReading(() => findBusiness(deals, idIn(request.params.file), null), { mayLag: true })
    const { business_id: id, category, business_name: title, address } = business
    return serve(request, reply, { id, kind: 'business', category, title, by: address ?? festival.name })
  })
}

function idIn(file: string): string {
  const id = /^([\w-]{1,64})\.png$/.exec(file)?.[1]
  if (!id) throw new Refusal(notFound)
  return id
}

/** Draws pictures, two at once, and caches the latest. Requests for the same picture share one drawing. */
function pictureCache(): (tag: string, draw: () => Promise<Buffer>) => Promise<Buffer> {
  const cache = new BoundedCache<string, Buffer>('sharing pictures', {
    most: cacheBytes,
    sizeOf: ({ length }) => length,
  })
  const underWay = new Map<string, Promise<Buffer>>()
  return (tag, draw) => {
    const found = cache.get(tag)
    if (found) return Promise.resolve(found)
    let making = underWay.get(tag)
    if (!making) {
      making = inTurn(draw).finally(() => underWay.delete(tag))
      making.then(
        (png) => cache.set(tag, png),
        () => {},
      )
      underWay.set(tag, making)
    }
    return making
  }
}

/** A poster has flat shapes: a palette halves its size without a visible difference. */
async function posterPng(svg: string): Promise<Buffer> {
  const sharp = await loadSharp()
  return sharp(Buffer.from(svg)).png({ palette: true, colours: 128, effort: 4, dither: 0 }).toBuffer()
}

/** Messengers show only pictures of up to a few hundred kB, so a photo gets a palette too, with dithering. */
async function photoPng(svg: string): Promise<Buffer> {
  const sharp = await loadSharp()
  return sharp(Buffer.from(svg)).png({ palette: true, colours: 256, effort: 4, dither: 1 }).toBuffer()
}

/** The middle of an upload as a data URL, in the size that `posterOgSvg` shows. */
async function photoBeside(file: Uint8Array): Promise<string> {
  const sharp = await loadSharp()
  const jpeg = await sharp(file).resize({ width: 480, height: 630, fit: 'cover' }).jpeg({ quality: 90 }).toBuffer()
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`
}
