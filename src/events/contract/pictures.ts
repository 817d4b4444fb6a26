import { z } from 'zod'
import { answerText } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { pictureMaxBytes, pictureNoImage, pictureTooManyPixels } from '../../kit/shared/pictures.ts'
import { invalidInput, tooLarge, tooMany, unsupportedMediaType } from '../../kit/shared/refusal.ts'
import { staffAlone } from '../../staff/contract.ts'

/** Pictures that all staff together may upload in 24 hours. */
export const eventPicturesADay = 1000

/** Not in the log of staff: an event shows the picture only after `PUT /api/events/{event_id}`, which is. */
export const uploadEventPicture = endpoint({
  method: 'POST',
  path: '/api/admin/events/pictures',
  summary: 'A picture for an event, made anew from its pixels; one that no event gets within a day is deleted',
  tag: 'events',
  body: z.object({}),
  files: { file: { maxBytes: pictureMaxBytes } },
  access: staffAlone,
  answer: z
    .object({ url: answerText(200).meta({ unread: undefined, description: 'own path of the picture' }) })
    .meta({ id: 'EventPicture' }),
  status: 201,
  refusals: [invalidInput, pictureNoImage, pictureTooManyPixels, tooLarge, unsupportedMediaType, tooMany],
})
