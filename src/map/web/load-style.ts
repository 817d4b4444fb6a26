import type { StyleSpecification } from 'maplibre-gl'

/**
 * Fetches and checks the operator's online style before there is a map: with a bad one MapLibre shows nothing and reports success.
 * Null if there is no complete answer within `timeoutMs`, if it is no style that MapLibre could draw, or if `signal` aborts.
 */
export async function loadOnlineStyle(
  url: string,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<StyleSpecification | null> {
  // AbortSignal.any is younger than our oldest browsers
  const attempt = new AbortController()
  const abort = () => attempt.abort()
  const timer = setTimeout(abort, timeoutMs)
  signal.addEventListener('abort', abort)
  try {
    const response = await fetch(url, {
      signal: attempt.signal,
      credentials: 'omit',
      headers: { accept: 'application/json' },
    })
    const style: unknown = response.ok ? await response.json() : null
    return isStyle(style) ? style : null
  } catch {
    return null
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    // ends an answer whose body is not read
    attempt.abort()
  }
}

/**
 * Whether MapLibre can draw the style. MapLibre checks it too, but drops the whole style for a single fault, such as a layer without
 * its source, a usual slip in hand-written styles.
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
 * The usual failure is a good style whose tiles do not load, such as after a key has expired. Until the first tile arrives, three
 * errors, the failure of all sources, or six seconds of silence mean: use the next basemap. After that, missing tiles change nothing.
 * An empty tile counts as a tile (as does 404 for MapLibre): `watchBasemap` checks whether anything is drawn.
 */
const tileLimits = { errors: 3, silenceMs: 6_000 }

/**
 * Events of a basemap's sources. `described`: TileJSON arrived; `failed`: it will not; `error`: a tile failed; `tile`: a tile arrived;
 * `idle`: nothing is loading, so after an error no tile will come (a small map shows only two); `hidden` and `shown`: the page,
 * because a hidden one loads no tiles.
 */
export type TileSign = 'described' | 'failed' | 'error' | 'tile' | 'idle' | 'hidden' | 'shown'
export type TileVerdict = 'waiting' | 'arrived' | 'given_up'

export interface TileWatch {
  /** @returns the verdict after this sign; final unless it is `waiting` */
  note(sign: TileSign): TileVerdict
  /** The verdict by the time passed. */
  verdict(): TileVerdict
  /** Milliseconds until `verdict()` may change by silence, at least 0; null: only another sign can change it. */
  decidesInMs(): number | null
}

/** Call it when the map gets the style. `now`: a monotonic clock in milliseconds, such as `performance.now()`. Sets no timer itself. */
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
    note(sign) {
      if (judge() !== 'waiting') return verdict
      if (sign === 'tile') verdict = 'arrived'
      else if (sign === 'idle' && errors > 0) verdict = 'given_up'
      else if (sign === 'hidden') quietSince = null
      else if (sign === 'shown') quietSince = now()
      // the silence starts anew: tiles are requested only after TileJSON
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

/** The sources of a style with tiles from the network; without any, all sources that its layers use. */
export function tileSources(style: StyleSpecification): Set<string> {
  const used = new Set(style.layers.flatMap((layer) => ('source' in layer ? [String(layer.source)] : [])))
  const tiled = [...used].filter((name) => ['vector', 'raster', 'raster-dem'].includes(style.sources[name]?.type ?? ''))
  return tiled.length > 0 ? new Set(tiled) : used
}

/**
 * The sign in an event `sourcedata`, `error` or `idle` of the map; null: none. Own sources (deals, position) are not in `sources`, so
 * their events are none.
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
