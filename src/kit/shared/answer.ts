import { z } from 'zod'

/**
 * Shapes for answers. Their limits are kept where the value comes in and by the database; here they are said in the
 * OpenAPI document and not checked again.
 */
export const answerText = (maxLength: number) => z.string().meta({ maxLength })

/** A name that screens always show. */
export const answerName = (maxLength: number) => answerText(maxLength).meta({ unread: '–' })

/** Degrees of latitude (`most` 90) or longitude (180). */
export const answerDegrees = (most: 90 | 180) => z.number().meta({ within: [-most, most] })

/** A path of this site. */
export const ownPathForm = /^\/(?![/\\])/

/** What an answer always has, and screens do without: they read null. */
export const orUnread = <Shape extends z.ZodType>(shape: Shape) =>
  shape.meta({ unread: null }) as unknown as z.ZodType<z.output<Shape> | null>

/** UUIDv7 */
export const answerId = z.string().meta({ format: 'uuid', maxLength: 36 })

export const answerInstant = z.iso.datetime({ offset: true }).meta({ maxLength: 35 })

export const answerList = <Item extends z.ZodType>(item: Item, maxItems: number) => z.array(item).meta({ maxItems })
