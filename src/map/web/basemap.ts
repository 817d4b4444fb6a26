import type { Basemap, MapConfig } from '../contract.ts'

/** How long the operator's style may take; then the next basemap has its turn. */
export const styleTimeoutMs = 4000
/** The basemaps of this festival in the order in which they are tried; the outline needs no engine. */
export function basemapOrder({ styleUrl, packUrl }: Pick<MapConfig, 'styleUrl' | 'packUrl'>): Basemap[] {
  return [...(styleUrl ? ['online' as const] : []), ...(packUrl ? ['pack' as const] : []), 'drawing', 'outline']
}

/** The map of a festival whose server does not say how: the drawing, around the festival's centre. */
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
