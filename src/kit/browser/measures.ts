import { walkingMinutes } from '../shared/geo.ts'
import { grouped, groupedDigits } from '../shared/grouped.ts'

/** "CHF 12.50", the Swiss way in all languages. */
export function chf(amount: number): string {
  return `CHF ${groupedDigits(amount.toFixed(2))}`
}

/** "CHF 49", "CHF 12.50": without empty cents. */
export function chfShort(amount: number): string {
  return Number.isInteger(amount) ? `CHF ${grouped(amount)}` : chf(amount)
}

/** For display type only: whole francs as "CHF 12.–". */
export function chfDisplay(amount: number): string {
  return Number.isInteger(amount) ? `CHF ${grouped(amount)}.–` : chf(amount)
}

/** Straight-line distance: "350 m", "1.2 km", "12 km", "6’251 km". */
export function distance(km: number): string {
  if (km < 0.995) return `${Math.max(10, Math.round(km * 100) * 10)} m`
  return km < 9.95 ? `${km.toFixed(1)} km` : `${grouped(Math.round(km))} km`
}

/** Minutes for "about 5 min on foot"; null where nobody would walk. */
export function footMinutes(km: number): number | null {
  const minutes = walkingMinutes(km)
  return minutes <= 45 ? minutes : null
}
