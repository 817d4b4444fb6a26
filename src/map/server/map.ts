import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { readMarkdown } from '../../kit/server/markdown.ts'
import type { Credit, MapConfig } from '../contract.ts'
import { BadPack, packLimitBytes, readPack } from './read-pack.ts'

export interface MapRoom {
  /** Address of the online style, key included; null: none. */
  styleUrl: string | null
  /** Hosts that the online map is loaded from. */
  hosts: string[]
  pack: Pack | null
  centre: { latitude: number; longitude: number }
}

export interface Pack {
  /** Hash of the file, part of its address: the same address always has the same bytes. */
  hash: string
  file: Buffer
  credits: Credit[]
  /** null: the file has none. */
  bounds: MapConfig['bounds'] | null
}

/** The operator's pack cannot be used. The message is a sentence that begins with the name of the variable. */
export class BadMapPack extends Error {}

/** Credits of the drawing, the same in every language. */
export const drawingCredits: Credit[] = [
  { text: '© Rheinklang' },
  { text: '© OpenStreetMap contributors', href: 'https://www.openstreetmap.org/copyright' },
  { text: 'Geodaten Kanton Basel-Stadt (CC BY 4.0)', href: 'https://data.bs.ch' },
  { text: 'opentransportdata.swiss', href: 'https://opentransportdata.swiss' },
  { text: 'SBB', href: 'https://data.sbb.ch' },
]

/** The inner city fits a screen. */
const zoom = 13
/** Half the side of the region without a pack: a city and its surroundings. */
const regionKm = 12

export interface MapSettings {
  /** Address of an online style, key included; null: none. */
  styleUrl: string | null
  /** Absolute path of a PMTiles file; null: none. */
  packFile: string | null
  /** Origins from which browsers may load the online map, the style's own first. Empty without a style. */
  origins: string[]
}

/** Reads and checks the pack once; later changes of the file have no effect. @throws BadMapPack */
export async function openMap(settings: MapSettings & { centre: MapRoom['centre'] }): Promise<MapRoom> {
  const { styleUrl, packFile, origins, centre } = settings
  const pack = packFile === null ? null : await openPack(packFile, centre)
  const hosts = origins.map((each) => new URL(each).host)
  return { styleUrl, hosts, pack, centre: { latitude: centre.latitude, longitude: centre.longitude } }
}

/** @throws BadMapPack */
export async function checkPack({
  packFile,
  centre,
}: Pick<MapSettings, 'packFile'> & Pick<MapRoom, 'centre'>): Promise<void> {
  if (packFile !== null) await openPack(packFile, centre)
}

export function findMapConfig({ styleUrl, hosts, pack, centre }: MapRoom): MapConfig {
  return {
    styleUrl,
    hosts,
    packUrl: pack ? `/map/${pack.hash}.pmtiles` : null,
    credits: { online: [], pack: pack?.credits ?? [], drawing: drawingCredits },
    center: centre,
    zoom,
    bounds: pack?.bounds ?? regionAround(centre),
  }
}

async function openPack(path: string, centre: MapRoom['centre']): Promise<Pack> {
  const file = await readPackFile(path)
  try {
    const { bounds, metadata } = await readPack(file)
    return {
      hash: createHash('sha256').update(file).digest('hex').slice(0, 32),
      file,
      credits: creditsOf(metadata),
      bounds: boundsOf(bounds, centre),
    }
  } catch (error) {
    if (error instanceof BadPack) throw new BadMapPack(`MAP_PACK: ${path} ${error.message}.`)
    throw error
  }
}

async function readPackFile(path: string): Promise<Buffer> {
  try {
    const found = await stat(path)
    if (!found.isFile()) throw new BadPack('is no file')
    if (found.size > packLimitBytes)
      throw new BadPack(
        `has ${Math.round(found.size / 2 ** 20)} MB; ${packLimitBytes / 2 ** 20} MB is the limit, for visitors load it whole`,
      )
    return await readFile(path)
  } catch (error) {
    if (error instanceof BadPack) throw new BadMapPack(`MAP_PACK: ${path} ${error.message}.`)
    const { code, message } = error as NodeJS.ErrnoException
    throw new BadMapPack(
      `MAP_PACK: ${code === 'ENOENT' ? `there is no ${path}` : `${path} cannot be read: ${message}`}.`,
    )
  }
}

/** A pack of another place is a mistake: the map could not show the festival. @throws BadMapPack */
function boundsOf(bounds: MapConfig['bounds'], { latitude, longitude }: MapRoom['centre']): Pack['bounds'] {
  const { west, south, east, north } = bounds
  if (![west, south, east, north].some(Boolean)) return null
  const isBox = west < east && south < north && west >= -180 && east <= 180 && south >= -90 && north <= 90
  if (!isBox) throw new BadPack('is damaged: its bounds are no longitudes and latitudes')
  if (longitude < west || longitude > east || latitude < south || latitude > north)
    throw new BadPack(
      `shows ${west}, ${south} to ${east}, ${north}, and the festival at ${longitude}, ${latitude} lies outside of it`,
    )
  return bounds
}

function regionAround({ latitude, longitude }: MapRoom['centre']): MapConfig['bounds'] {
  const high = regionKm / 111.2
  const wide = high / Math.cos((latitude * Math.PI) / 180)
  const rounded = (degrees: number, limit: number) =>
    Math.round(Math.min(Math.max(degrees, -limit), limit) * 10_000) / 10_000
  return {
    west: rounded(longitude - wide, 180),
    south: rounded(latitude - high, 85),
    east: rounded(longitude + wide, 180),
    north: rounded(latitude + high, 85),
  }
}

/** Metadata of a pack: our `credits`, or the `attribution` that other tools write. */
const packMetadata = z.object({
  name: z.string().optional(),
  attribution: z.string().max(5000).optional(),
  credits: z
    .array(
      z.object({
        text: z.string().trim().min(1).max(300),
        href: z
          .url({ protocol: /^https?$/ })
          .max(500)
          .optional(),
      }),
    )
    .max(20)
    .optional(),
})

function creditsOf(metadata: unknown): Credit[] {
  const result = packMetadata.safeParse(metadata)
  if (!result.success) {
    const { path, message } = result.error.issues[0]!
    throw new BadPack(`has metadata that cannot be used: ${path.join('.') || 'the whole'}: ${message}`)
  }
  const { credits, attribution, name } = result.data
  if (credits && credits.length > 0) return credits
  const fromHtml = attribution ? creditFromHtml(attribution) : null
  return [fromHtml ?? { text: shortened(`Map data: ${name?.trim() || 'PMTiles'}`) }]
}

/** An attribution may be HTML; it is shown as text, with its first link. */
function creditFromHtml(html: string): Credit | null {
  const text = readMarkdown(html, 'dropped').plain
  if (!text) return null
  const links = [...html.matchAll(/\bhref\s*=\s*["']?(https?:\/\/[^"'\s>]{1,490})/gi)].map((each) => each[1]!)
  return { text: shortened(text), ...(links.length === 1 ? { href: links[0]! } : {}) }
}

function shortened(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 299)}…`
}
