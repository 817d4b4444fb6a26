import { z } from 'zod'

/** Shapes for answers. Their limits appear in the OpenAPI document and are not checked: input and the database have checked the values. */
export const answerText = (maxLength: number) => z.string().meta({ maxLength })

/** A name. Screens show "–" where it cannot be read. */
export const answerName = (maxLength: number) => answerText(maxLength).meta({ unread: '–' })

/** Degrees of latitude (`most` 90) or longitude (180). */
export const answerDegrees = (most: 90 | 180) => z.number().meta({ within: [-most, most] })

/** A path of this site. */
export const ownPathForm = /^\/(?![/\\])/

/** A part that every answer has. Screens read null where it is missing or unreadable. */
export const orUnread = <Shape extends z.ZodType>(shape: Shape) =>
  shape.meta({ unread: null }) as unknown as z.ZodType<z.output<Shape> | null>

/** UUIDv7 */
export const answerId = z.string().meta({ format: 'uuid', maxLength: 36 })

export const answerInstant = z.iso.datetime({ offset: true }).meta({ maxLength: 35 })

export const answerList = <Item extends z.ZodType>(item: Item, maxItems: number) => z.array(item).meta({ maxItems })
