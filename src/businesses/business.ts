import { z } from 'zod'
import { categories } from '../brand/categories.ts'
import { answerDegrees, answerId, answerInstant, answerList, answerName, answerText } from '../kit/shared/answer.ts'
import { bodyNumber, email, line, properName, text, webAddress } from '../kit/shared/input.ts'
import type { Fields } from '../kit/shared/thing.ts'
import { opening, openingWeek } from './contract/opening.ts'
import { mostPhotos, signupTiers, tiers } from './limits.ts'

/** The public fields of a business. */
export const publicFields = {
  business_id: { answer: answerId },
  business_name: { answer: answerName(80), input: properName({ max: 80 }), nullable: false, empty: '' },
  address: { answer: answerText(200).nullable(), input: text({ max: 200 }) },
  logo_url: {
    answer: answerText(2000).nullable(),
    input: line({ max: 2000 }).meta({ description: 'http(s), or the path of an own upload' }),
  },
  logo_image: {
    answer: answerText(200)
      .nullable()
      .meta({ description: 'own path of what pages show; null: no logo, or no copy yet' }),
  },
  photos: {
    answer: answerList(answerText(200).meta({ form: /^\/uploads\// }), mostPhotos).meta({ description: 'own paths' }),
    input: z
      .array(line({ max: 200 }))
      .max(mostPhotos)
      .meta({ description: 'what `POST /api/uploads` answered' }),
    empty: [],
  },
  description: { answer: answerText(2000).nullable(), input: text({ max: 2000 }) },
  open_hours: {
    answer: answerText(500).nullable().meta({ description: 'OSM opening_hours' }),
    input: text({ max: 500 }).meta({ description: 'OSM opening_hours' }),
  },
  opening_week: {
    answer: openingWeek.nullable().meta({ description: 'open_hours as a table; null: not known, or no table says it' }),
    column: null,
  },
  latitude: { answer: answerDegrees(90).nullable(), input: bodyNumber(-90, 90) },
  longitude: { answer: answerDegrees(180).nullable(), input: bodyNumber(-180, 180) },
  subscription_tier: { answer: z.enum(tiers).meta({ unread: 'FREE' }) },
  slug: { answer: answerText(100) },
  category: { answer: answerText(60).meta({ unread: 'other' }), input: z.enum(categories), empty: 'other' },
  phone: { answer: answerText(60).nullable(), input: line({ max: 60 }) },
  website: { answer: answerText(500).nullable(), input: webAddress(500) },
  claimed: {
    answer: z.boolean().meta({ unread: true, description: 'false: taken from open data, nobody has signed up for it' }),
  },
  updated_at: { answer: answerInstant },
  open_now: { answer: opening.shape.open_now, column: null },
  open_until: { answer: opening.shape.open_until, column: null },
  opens_at: { answer: opening.shape.opens_at, column: null },
} as const satisfies Fields
export type PublicFields = typeof publicFields

/** Fields that only the owner sees. */
export const ownerFields = {
  email: {
    answer: answerText(200).nullable().meta({ description: 'contact address; for the owner only' }),
    input: email().meta({ description: 'contact address; the login address is changed in the settings' }),
  },
  requested_tier: {
    answer: z.enum(signupTiers).nullable().meta({ description: 'wished for at signup; owner only' }),
  },
} as const satisfies Fields

/** Every field of a business. A field that a merchant does not send stays as it is. */
export const businessFields = { ...publicFields, ...ownerFields }
export type BusinessFields = typeof businessFields

const { business_id, business_name, address, logo_url, logo_image, category, subscription_tier } = publicFields
/** The fields of a business in a list; the answer adds live deals and opening state. */
export const listedFields = { business_id, business_name, address, logo_url, logo_image, category, subscription_tier }
export type ListedFields = typeof listedFields
