/** OpenStreetMap's way to a place on foot; an ordinary link to another site. */
export function directionsTo({ latitude, longitude }: { latitude: number; longitude: number }): string {
  return `https://www.openstreetmap.org/directions?engine=fossgis_osrm_foot&route=${encodeURIComponent(`;${latitude},${longitude}`)}`
}

/** "47.55960, 7.58860" */
export function coordinates({ latitude, longitude }: { latitude: number; longitude: number }): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
}
