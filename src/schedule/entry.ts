import { z } from 'zod'
import { listedEvent } from '../events/contract.ts'
import { answerId, answerInstant, answerList, answerText } from '../kit/shared/answer.ts'
import { fieldIssue, text } from '../kit/shared/input.ts'
import type { Fields } from '../kit/shared/thing.ts'
import { priorities } from './autoplan.ts'
import { noteLength, reminderMinutes, remindersMost } from './limits.ts'

const minutes = z
  .array(z.number())
  .max(50)
  .superRefine((minutes, ctx) => {
    if (minutes.some((each) => !(reminderMinutes as readonly number[]).includes(each)))
      ctx.addIssue(fieldIssue('choice', { choices: reminderMinutes.join(', ') }))
    else if (new Set(minutes).size > remindersMost) ctx.addIssue(fieldIssue('reminders', { max: remindersMost }))
  })
  .transform((minutes) => [...new Set(minutes)].sort((a, b) => a - b))
  .meta({ description: `minutes before the start, at most ${remindersMost} of ${reminderMinutes.join(', ')}` })

/** Every field of a schedule entry. A field that its owner does not send stays unchanged. */
export const entryFields = {
  entry_id: { answer: answerId },
  priority: { answer: z.enum(priorities).meta({ unread: 'want' }), input: z.enum(priorities), empty: 'want' },
  note: { answer: answerText(noteLength).nullable(), input: text({ max: noteLength }) },
  reminders: {
    answer: answerList(z.number().int(), remindersMost).meta({ description: 'minutes before the start' }),
    input: minutes,
    empty: [],
  },
  created_at: { answer: answerInstant },
  updated_at: { answer: answerInstant },
  event: { answer: listedEvent, column: null },
} as const satisfies Fields
export type EntryFields = typeof entryFields
