import { z } from 'zod'
import { merchantsAlone } from '../../accounts/contract.ts'
import { answerText } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { pathId } from '../../kit/shared/input.ts'
import { pictureMaxBytes, pictureNoImage, pictureTooManyPixels } from '../../kit/shared/pictures.ts'
import {
  forbidden,
  invalidInput,
  tooLarge,
  tooMany,
  unsupportedMediaType,
  type RefusalKind,
} from '../../kit/shared/refusal.ts'
import { emptyForm, inputOf } from '../../kit/shared/thing.ts'
import { businessFields } from '../business.ts'
import { businessForOwner, businessNotFound } from '../contract.ts'

/** Endpoints with which a merchant edits the profile and uploads pictures. */

/** Pictures that a merchant may upload in 24 hours. */
export const picturesADay = 200

/** The logo's address is neither http(s) nor an own upload, or leads into the server's network. */
export const logoUrlNotAllowed = { code: 'logo_url_not_allowed', status: 400 } as const satisfies RefusalKind

/** The empty profile form: a text for each field. */
export const emptyProfileForm = emptyForm(businessFields)

/** A missing field stays; '' or null empties it. */
export const profileChanges = z.object(inputOf(businessFields))
export type ProfileChanges = z.output<typeof profileChanges>

export const updateBusiness = endpoint({
  method: 'PUT',
  path: '/api/business/{business_id}',
  summary: 'Changes the profile of a business',
  tag: 'businesses',
  params: z.object({ business_id: pathId }),
  body: profileChanges,
  access: merchantsAlone,
  answer: businessForOwner,
  version: 'updated_at',
  refusals: [invalidInput, logoUrlNotAllowed, businessNotFound, forbidden],
})

export const uploadPicture = endpoint({
  method: 'POST',
  path: '/api/uploads',
  summary:
    'A picture for a deal or a business, made anew from its pixels; one that is not used within a day is deleted',
  tag: 'businesses',
  body: z.object({}),
  files: { file: { maxBytes: pictureMaxBytes } },
  access: merchantsAlone,
  answer: z
    .object({ url: answerText(200).meta({ unread: undefined, description: 'own path of the picture' }) })
    .meta({ id: 'Upload' }),
  status: 201,
  refusals: [invalidInput, pictureNoImage, pictureTooManyPixels, tooLarge, unsupportedMediaType, tooMany],
})
