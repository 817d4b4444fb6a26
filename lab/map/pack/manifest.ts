import { z } from 'zod'

/**
 * The operator's manifest beside the GeoJSON files: which file becomes which layer, from which zoom on, and whom to credit. Unknown keys are
 * refused, so that a misspelled key is not silently ignored.
 */
const zoom = z.number().int().min(0).max(16)
const line = z.string().trim().min(1)

const layer = z.strictObject({
  id: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be letters, digits, _ or -')
    .optional()
    .meta({ description: 'name of the layer in the tiles; the name of the file where it is missing' }),
  file: line.max(300).meta({ description: 'GeoJSON, as a path from the folder' }),
  minzoom: zoom.optional(),
  minzoomBy: z
    .strictObject({ property: line.max(100), zooms: z.record(z.string(), zoom) })
    .optional()
    .meta({ description: 'by the value of a property: the zoom from which a feature is shown' }),
  licence: line.max(300),
  credit: line.max(300).meta({ description: 'the line that maps must show' }),
  href: z.url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' }).optional(),
  source: line.max(500),
  date: z
    .string()
    .regex(/^\d{4}(-\d\d(-\d\d)?)?$/, 'must be a date such as 2026-08-20')
    .optional()
    .meta({ description: 'state of the data' }),
})
export type ManifestLayer = z.infer<typeof layer>

const degrees = (limit: number) => z.number().min(-limit).max(limit)
export const manifest = z
  .strictObject({
    name: line.max(100),
    bounds: z
      .tuple([degrees(180), degrees(85), degrees(180), degrees(85)])
      .refine(([west, south, east, north]) => west < east && south < north, 'must be west, south, east, north'),
    minzoom: zoom.default(9),
    maxzoom: zoom.default(14),
    layers: z.array(layer).min(1).max(64),
  })
  .refine((each) => each.minzoom <= each.maxzoom, { path: ['minzoom'], message: 'must not be above maxzoom' })
  .refine((each) => new Set(each.layers.map(layerName)).size === each.layers.length, {
    path: ['layers'],
    message: 'must have a name of its own each',
  })
  .refine((each) => creditsOf(each).length <= 20, { path: ['layers'], message: 'may name 20 different credits' })
export type Manifest = z.infer<typeof manifest>

export function layerName({ id, file }: ManifestLayer): string {
  return id ?? file.replace(/^.*[\\/]/, '').replace(/\.(geo)?json$/i, '')
}

/** The credits of a pack, each line once, in the order of its layers. */
export function creditsOf({ layers }: { layers: ManifestLayer[] }): { text: string; href?: string }[] {
  const credits = new Map<string, { text: string; href?: string }>()
  for (const { credit, href } of layers)
    if (!credits.get(credit)?.href) credits.set(credit, { text: credit, ...(href ? { href } : {}) })
  return [...credits.values()]
}
