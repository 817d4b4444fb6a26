/** Looks of pins for venues and useful places. */
export type SpotLook = 'venue-now' | 'venue-later' | 'toilet' | 'water' | 'first_aid' | 'step_free'

/** Paths of strokes on 24 × 24, two wide with round ends: notes, WC, a drop, a cross, a wheelchair. */
export const spotGlyphs: Record<SpotLook, string> = {
  'venue-now': 'M9 18V5l12-2v13M3 18a3 3 0 1 0 6 0a3 3 0 1 0-6 0M15 16a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
  'venue-later': 'M9 18V5l12-2v13M3 18a3 3 0 1 0 6 0a3 3 0 1 0-6 0M15 16a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
  toilet: 'M1 7l3 10l3-9l3 9l3-10M23 9.500a4 4 0 1 0 0 5',
  water:
    'M12 22a7 7 0 0 0 7-7c0-2-1-3.900-3-5.500s-3.500-4-4-6.500c-.5 2.500-2 4.900-4 6.500C6 11.100 5 13 5 15a7 7 0 0 0 7 7z',
  first_aid: 'M9 3h6v6h6v6h-6v6H9v-6H3V9h6z',
  step_free:
    'M15 4a1 1 0 1 0 2 0a1 1 0 1 0-2 0M18 19l1-7-6 1M5 8l3-3 5.500 3-2.360 3.500M4.240 14.500a5 5 0 0 0 6.880 6M13.760 17.500a5 5 0 0 0-6.880-6',
}
