import { z } from 'zod'
import { answerInstant, answerList, answerText } from '../../kit/shared/answer.ts'
import { weekDays } from '../limits.ts'

/** Opening state at the moment of the answer; all null when the hours are unknown. */
export const opening = z.object({
  open_now: z.boolean().nullable().meta({ description: 'null: hours unknown' }),
  open_until: answerInstant.nullable().meta({ description: 'when the present opening ends' }),
  opens_at: answerInstant.nullable().meta({ description: 'when it opens next, if closed' }),
})
export type Opening = z.infer<typeof opening>

const daySpan = z.object({
  opens: answerText(5).meta({ unread: undefined, description: 'HH:MM' }),
  closes: answerText(5).meta({ unread: undefined, description: 'HH:MM; not after `opens`: on the next day' }),
  open_end: z.boolean().meta({ description: 'may stay open for longer' }),
})
export type DaySpan = z.infer<typeof daySpan>
/** Required when an answer is read: a day without `spans` would look closed. */
const spans = answerList(daySpan, 48).meta({ unread: undefined })

const dates = {
  from: answerText(5).meta({ unread: undefined, description: 'MM-DD' }),
  until: answerText(5).meta({ unread: undefined, description: 'MM-DD' }),
}

/** Opening hours as a table of days and times. */
export const openingWeek = z
  .object({
    seasons: answerList(
      z.object({
        dates: answerList(z.object(dates), 24).meta({ unread: undefined, description: 'empty: the whole year' }),
        days: answerList(z.object({ day: z.enum(weekDays).meta({ unread: undefined }), spans }), weekDays.length).meta({
          unread: undefined,
        }),
      }),
      6,
    ).meta({ unread: undefined }),
    exceptions: answerList(z.object({ ...dates, spans }), 8).meta({
      unread: undefined,
      description: 'days of every year that differ',
    }),
  })
  .meta({ id: 'OpeningWeek' })
export type OpeningWeek = z.infer<typeof openingWeek>
