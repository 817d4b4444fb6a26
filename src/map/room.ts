import type { Room } from '../kit/server/room.ts'
import { page } from '../site-map.ts'
import { checkPack, openMap, type MapRoom, type MapSettings } from './server/map.ts'
import { mapOperations, serveMapFiles } from './server/routes.ts'

declare module '../kit/server/room.ts' {
  interface RoomSettings {
    map: MapSettings
  }
}

export const map: Room<MapRoom> = {
  name: 'map',
  looksInto: [],
  check: ({ settings, site }) => checkPack({ ...settings.map, centre: site.centre }),
  open: ({ settings, site }) => openMap({ ...settings.map, centre: site.centre }),
  operations: mapOperations,
  serve: serveMapFiles,
  sitemap: () => ({ pages: [{ path: page.mapData }] }),
}
