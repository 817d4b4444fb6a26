import { PMTiles } from 'pmtiles'
import type { addProtocol as AddProtocol } from 'maplibre-gl'
import type { PackZooms } from './basemap-style.ts'

const timeoutMs = 8000
/** A pack is held in memory; ours are smaller than this. */
const maxBytes = 24 * 1024 * 1024

/** The pack of this tab: the handler that `addProtocol` registers is global in MapLibre and serves every map of the page. */
let opened: { url: string; pack: PMTiles; zooms: PackZooms } | null = null

/**
 * Fetches a whole map pack (no range requests, so it can be cached) and serves its tiles to the map. Null if it cannot be loaded or has
 * no vector tiles.
 */
export async function openPack(
  url: string,
  { signal, addProtocol }: { signal: AbortSignal; addProtocol: typeof AddProtocol },
): Promise<PackZooms | null> {
  if (opened?.url === url) return opened.zooms
  try {
    const ended = new AbortController()
    const end = () => ended.abort()
    signal.addEventListener('abort', end)
    setTimeout(end, timeoutMs)
    const answer = await fetch(url, { signal: ended.signal })
    if (!answer.ok) return null
    const bytes = await answer.arrayBuffer()
    if (bytes.byteLength > maxBytes) return null
    const pack = new PMTiles({
      getKey: () => url,
      getBytes: async (offset, length) => ({ data: bytes.slice(offset, offset + length) }),
    })
    const { tileType, minZoom, maxZoom } = await pack.getHeader()
    if (tileType !== 1) return null
    opened = { url, pack, zooms: { minZoom, maxZoom } }
    addProtocol('rheinklang-pack', async ({ url: tile }) => {
      const [z, x, y] = tile.replace('rheinklang-pack://', '').split('/').map(Number) as [number, number, number]
      return { data: (await opened!.pack.getZxy(z, x, y))?.data ?? new ArrayBuffer(0) }
    })
    return opened.zooms
  } catch {
    return null
  }
}
