import { z } from 'zod'

/**
 * Shapes for answers. Their limits are kept where the value comes in and by the database; here they are said in the
 * OpenAPI document and not checked again.
 */
export const answerText = (maxLength: number) => z.string().meta({ maxLength })

/** UUIDv7 */
export const answerId = z.string().meta({ format: 'uuid', maxLength: 36 })

export const answerInstant = z.iso.datetime({ offset: true }).meta({ maxLength: 35 })

export const answerList = <Item extends z.ZodType>(item: Item, maxItems: number) => z.array(item).meta({ maxItems })
