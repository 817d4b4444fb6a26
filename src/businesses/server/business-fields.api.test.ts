import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkEveryField, twoPictures } from '../../../test/every-field.ts'
import { aMerchant, get, post } from '../../../test/people.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import { businessFields } from '../business.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

it('every field of a business is stored: filled in, changed, left alone, emptied', async () => {
  const { authToken: token, businessId } = await aMerchant(app)
  const path = `/api/business/${businessId}`
  const pictures = await twoPictures(app, '/api/uploads', token)
  const change = async (_: string, values: object) => {
    const { status, text } = await post(app, path, values, { method: 'PUT', token })
    expect(status, text).toBe(200)
  }
  await checkEveryField(
    businessFields,
    {
      business_name: ['Café Rhein', 'Café am Rhein'],
      email: ['hello@example.org', 'contact@example.org'],
      address: ['Oberer Rheinweg 1, 4058 Basel', 'Oberer Rheinweg 2, 4058 Basel'],
      logo_url: pictures,
      photos: [pictures, [pictures[1]]],
      description: ['Coffee by the river.', 'Coffee and cake.'],
      open_hours: ['Mo-Fr 08:00-18:00', 'Mo-Sa 09:00-18:00'],
      latitude: [47.55, 47.56],
      longitude: [7.6, 7.59],
      category: ['food', 'drinks'],
      phone: ['061 000 00 01', '061 000 00 02'],
      website: ['https://example.org/', 'https://example.com/'],
    },
    {
      // the signup created the business
      create: async (values) => {
        await change(path, values)
        return path
      },
      change,
      read: async () => (await get(app, path, token)).body,
    },
  )
})
