import type { Position } from '../shared/geo.ts'
import { numberIn } from './csv-table.ts'
import { importText, type ImportText } from './import-text.ts'
import type { FileRow } from './row-file.ts'

/**
 * Checks the position of a row, and puts a Swiss one right whose latitude and longitude are swapped. `notes` say what was changed or
 * left out.
 * @returns `fault` where the coordinates are not degrees
 */
export function readPosition({
  point,
}: Pick<FileRow, 'point'>): { position: Position | null; notes: ImportText[] } | { fault: ImportText } {
  if (!point || (isBlank(point.latitude) && isBlank(point.longitude))) return { position: null, notes: [] }
  if (isBlank(point.latitude)) return { position: null, notes: [importText('noLatitude')] }
  if (isBlank(point.longitude)) return { position: null, notes: [importText('noLongitude')] }
  const [latitude, longitude] = [degrees(point.latitude), degrees(point.longitude)]
  for (const [value, number] of [
    [point.latitude, latitude],
    [point.longitude, longitude],
  ] as const)
    if (Number.isNaN(number)) return { fault: importText('noNumber', { text: shown(value) }) }
  if (latitude === 0 && longitude === 0) return { position: null, notes: [importText('nowhere')] }
  if (isInSwitzerland({ latitude, longitude })) return { position: { latitude, longitude }, notes: [] }
  const swapped = { latitude: longitude, longitude: latitude }
  if (isInSwitzerland(swapped)) return { position: swapped, notes: [importText('swapped')] }
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { position: { latitude, longitude }, notes: [] }
  const isNational = [latitude, longitude].some((value) => value > 2_400_000 && value < 2_900_000)
  return { fault: importText(isNational ? 'nationalGrid' : 'noDegrees', { numbers: `${longitude}, ${latitude}` }) }
}

const isBlank = (value: unknown) => (typeof value === 'string' ? value.trim() === '' : (value ?? null) === null)

const degrees = (value: unknown) =>
  typeof value === 'number' ? value : typeof value === 'string' ? numberIn(value.replace(/\s*°\s*$/, '')) : Number.NaN

const shown = (value: unknown) => (typeof value === 'string' ? [...value.trim()].slice(0, 20).join('') : '–')

/** True inside the box around Switzerland. A point with swapped numbers is never inside. */
function isInSwitzerland({ latitude, longitude }: Position): boolean {
  return latitude >= 45.8 && latitude <= 47.9 && longitude >= 5.9 && longitude <= 10.6
}
