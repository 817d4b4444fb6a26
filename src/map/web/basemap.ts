import type { Basemap, MapConfig } from '../contract.ts'

/** Longest wait for the operator's map style; then the next basemap is tried. */
export const styleTimeoutMs = 4000
/** The available basemaps, in the order in which they are tried; the outline needs no engine. */
export function basemapOrder({ styleUrl, packUrl }: Pick<MapConfig, 'styleUrl' | 'packUrl'>): Basemap[] {
  return [...(styleUrl ? ['online' as const] : []), ...(packUrl ? ['pack' as const] : []), 'drawing', 'outline']
}

/** Fallback when the configuration cannot be loaded from the server: the drawing, around the festival's centre. */
export function plainConfig(center: { latitude: number; longitude: number }): MapConfig {
  return {
    styleUrl: null,
    hosts: [],
    packUrl: null,
    credits: { online: [], pack: [], drawing: [] },
    center,
    zoom: 13,
    bounds: {
      west: center.longitude - 0.24,
      south: center.latitude - 0.13,
      east: center.longitude + 0.24,
      north: center.latitude + 0.13,
    },
  }
}
