/// <reference types="geojson" />
import type { GeoJSONSource, Map as LibreMap } from 'maplibre-gl'
import type { Position } from '../../kit/shared/geo.ts'
import { clusterLayers, pinLayers } from './overlay.ts'

export interface PointerEvents {
  /** Keys of the pressed pins. */
  onPick: (keys: string[]) => void
  /** Key of the hovered pin; null: none is. */
  onHover: (key: string | null) => void
  onBackground: (at: Position) => void
}

/** Reports what the pointer hits: a pin, a number (which zooms in), or plain ground. */
export function listenToPointer(
  map: LibreMap,
  {
    onPick,
    onServerCluster,
    onHover,
    onBackground,
    isPin,
  }: PointerEvents & {
    /** The map has zoomed in on a cluster of the server. */
    onServerCluster: () => void
    /** Whether this is the pin that can be dragged. */
    isPin: (at: Node) => boolean
  },
): void {
  const found = (at: { x: number; y: number }, layers: string[], reach: number) =>
    map.queryRenderedFeatures(
      [
        [at.x - reach, at.y - reach],
        [at.x + reach, at.y + reach],
      ],
      { layers: layers.filter((layer) => map.getLayer(layer)) },
    )
  const isSingle = ({ properties }: { properties: Record<string, unknown> }) => properties['key'] !== undefined
  map.on('click', ({ point, lngLat, originalEvent }) => {
    // a tap on the draggable pin is no tap on the map
    if (isPin(originalEvent.target as Node)) return
    const pins = found(point, pinLayers, 7).filter(isSingle)
    if (pins.length > 0) {
      onPick([...new Set(pins.map((pin) => String(pin.properties['key'])))])
      return
    }
    const cluster = found(point, clusterLayers, 4)[0]
    if (cluster) {
      const [longitude, latitude] = (cluster.geometry as GeoJSON.Point).coordinates as [number, number]
      // a cluster of the server needs a new search
      if (cluster.properties['fromServer'] > 0) {
        map.once('moveend', onServerCluster)
        map.easeTo({ center: [longitude, latitude], zoom: Math.min(map.getZoom() + 2, 18) })
        return
      }
      void (map.getSource(cluster.source) as GeoJSONSource)
        .getClusterExpansionZoom(Number(cluster.properties['cluster_id']))
        .then((zoom) =>
          map.easeTo({ center: [longitude, latitude], zoom: Math.min(zoom + 0.3, 18) }, { originalEvent }),
        )
        .catch(() => {})
      return
    }
    onBackground({ latitude: lngLat.lat, longitude: lngLat.lng })
  })
  let hovered: string | null = null
  map.on('mousemove', ({ point }) => {
    const pin = found(point, pinLayers, 3).find(isSingle)
    const key = pin ? String(pin.properties['key']) : null
    const canPress = !!pin || found(point, clusterLayers, 0).length > 0
    map.getCanvas().style.cursor = canPress ? 'pointer' : ''
    if (key !== hovered) onHover((hovered = key))
  })
  map.on('mouseout', () => {
    if (hovered !== null) onHover((hovered = null))
  })
}
