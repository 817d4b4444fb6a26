import type { StyleSpecification } from 'maplibre-gl'

/** Why an operator's online style cannot be used; the map then takes the next basemap. */
export type StyleFault = 'http' | 'unauthorized' | 'timeout' | 'unreadable' | 'not_a_style' | 'network'
export type LoadedStyle = { ok: true; style: StyleSpecification } | { ok: false; why: StyleFault }

/**
 * Fetches an online style, so that a bad one is known before there is a map: MapLibre shows nothing and reports success.
 * - `http`: an answer other than 2xx; `unauthorized`: 401 or 403, which mostly means a wrong or expired key
 * - `timeout`: no whole answer within `timeoutMs` (4 s)
 * - `unreadable`: no JSON; `not_a_style`: JSON that MapLibre could not draw
 * - `network`: no answer at all, or forbidden by the Content Security Policy; a browser does not tell these apart
 *
 * Rejects only when `signal` is aborted, with its reason.
 */
export async function loadOnlineStyle(
  url: string,
  options: { signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<LoadedStyle> {
  const { signal, timeoutMs = 4_000 } = options
  signal?.throwIfAborted()
  const attempt = new AbortController()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    attempt.abort()
  }, timeoutMs)
  const abort = () => attempt.abort()
  signal?.addEventListener('abort', abort)
  try {
    const response = await fetch(url, {
      signal: attempt.signal,
      credentials: 'omit',
      headers: { accept: 'application/json' },
    })
    if (response.status === 401 || response.status === 403) return { ok: false, why: 'unauthorized' }
    if (!response.ok) return { ok: false, why: 'http' }
    const style = parsed(await response.text())
    if (style === undefined) return { ok: false, why: 'unreadable' }
    return isStyle(style) ? { ok: true, style } : { ok: false, why: 'not_a_style' }
  } catch {
    signal?.throwIfAborted()
    return { ok: false, why: isLate ? 'timeout' : 'network' }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    // lets go of an answer whose body nobody reads
    attempt.abort()
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * What MapLibre must find to draw anything. It checks each property itself, but then throws the whole style away; a
 * layer without its source, the usual slip in a hand-written style, is one of those.
 */
function isStyle(value: unknown): value is StyleSpecification {
  if (!isRecord(value) || value['version'] !== 8) return false
  const { sources, layers } = value
  if (!isRecord(sources) || !Array.isArray(layers) || layers.length === 0) return false
  const hasSources = Object.values(sources).every((source) => isRecord(source) && typeof source['type'] === 'string')
  const names = new Set<unknown>()
  const hasLayers = layers.every((layer) => {
    if (!isRecord(layer) || typeof layer['id'] !== 'string' || typeof layer['type'] !== 'string') return false
    if (names.has(layer['id'])) return false
    names.add(layer['id'])
    return layer['type'] === 'background' || Object.hasOwn(sources, String(layer['source']))
  })
  return hasSources && hasLayers && layers.some((layer: { type: string }) => layer.type !== 'background')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A good style whose tiles stay away, as after a key has expired, is the common failure. Until the first tile arrives,
 * three errors of its sources, or all of them failing, or six seconds of silence mean: take the next basemap. Afterwards
 * a missing tile is no reason to change the map under somebody's hands. An empty tile is a tile (MapLibre takes 404 for
 * one): whether anything is drawn, the map itself must say.
 */
const tileLimits = { errors: 3, silenceMs: 6_000 }

/**
 * What a map tells of the sources of its basemap. `described`: TileJSON arrived; `failed`: it will never;
 * `error`: one tile failed; `tile`: one arrived; `idle`: nothing is outstanding, so after an error no tile will come (a
 * small map has only two in view); `hidden` and `shown`: the page, for a hidden one loads no tiles.
 */
export type TileSign = 'described' | 'failed' | 'error' | 'tile' | 'idle' | 'hidden' | 'shown'
export type TileVerdict = 'waiting' | 'arrived' | 'given_up'

export interface TileWatch {
  /** The verdict after this sign. It is final once it is not `waiting`. */
  tell(sign: TileSign): TileVerdict
  /** The verdict by the clock alone. */
  verdict(): TileVerdict
  /** Milliseconds until silence may decide, at least 0: ask `verdict()` then. null: only another sign can decide. */
  decidesInMs(): number | null
}

/**
 * Begins with the moment the style was handed to the map. It reads `now` (milliseconds that never go back, such as
 * `performance.now()`) and sets no timer itself.
 */
export function watchTiles(now: () => number, sources: number, limits = tileLimits): TileWatch {
  let verdict: TileVerdict = 'waiting'
  let quietSince: number | null = now()
  let errors = 0
  let failed = 0
  let described = 0

  const isSilent = () => quietSince !== null && now() - quietSince >= limits.silenceMs
  const judge = (): TileVerdict => {
    if (verdict === 'waiting' && (errors >= limits.errors || failed >= Math.max(sources, 1) || isSilent()))
      verdict = 'given_up'
    return verdict
  }
  return {
    tell(sign) {
      if (judge() !== 'waiting') return verdict
      if (sign === 'tile') verdict = 'arrived'
      else if (sign === 'idle' && errors > 0) verdict = 'given_up'
      else if (sign === 'hidden') quietSince = null
      else if (sign === 'shown') quietSince = now()
      // the first word of a source: its tiles are asked for only now
      else if (sign === 'described' && described++ < sources && quietSince !== null) quietSince = now()
      else if (sign === 'error' || sign === 'failed') {
        errors++
        if (sign === 'failed') failed++
      }
      return judge()
    },
    verdict: judge,
    decidesInMs: () =>
      judge() === 'waiting' && quietSince !== null ? Math.max(0, quietSince + limits.silenceMs - now()) : null,
  }
}

/** The sources of a style whose tiles come over the net; where it has none, all that its layers use. */
export function tileSources(style: StyleSpecification): Set<string> {
  const used = new Set(style.layers.flatMap((layer) => ('source' in layer ? [String(layer.source)] : [])))
  const tiled = [...used].filter((name) => ['vector', 'raster', 'raster-dem'].includes(style.sources[name]?.type ?? ''))
  return tiled.length > 0 ? new Set(tiled) : used
}

/**
 * What an event `sourcedata`, `error` or `idle` of a map says about the basemap; null: nothing. Sources that are ours (deals,
 * position) are not among `sources` and say nothing.
 */
export function tileSign(event: { type: string }, sources: ReadonlySet<string>): TileSign | null {
  const { type, sourceId, sourceDataType, tile } = event as {
    type: string
    sourceId?: string
    sourceDataType?: string
    tile?: unknown
  }
  if (type === 'idle') return 'idle'
  if (sourceId === undefined || !sources.has(sourceId)) return null
  if (type === 'error') return tile ? 'error' : 'failed'
  if (type !== 'sourcedata') return null
  if (tile) return 'tile'
  return sourceDataType === 'metadata' ? 'described' : null
}
