import { expect, it } from 'vitest'
import { addBusiness, addDeal, fillTown } from '../../../test/cast.ts'
import { api, appForTest, saturdayEvening } from '../../../test/start-app.ts'

it('a merchant with very many deals does not fill home alone', async () => {
  const app = await appForTest({ pages: true })
  const many = await addBusiness(app.db, 'Vielerlei', { open_hours: '24/7' })
  for (let n = 0; n < 30; n++) await addDeal(app.db, many, `Vielerlei ${n}`)
  const few = await addBusiness(app.db, 'Weit weg', { open_hours: '24/7', latitude: 47.6, longitude: 7.65 })
  for (const name of ['Fernsuppe', 'Fernbrot']) await addDeal(app.db, few, name)
  await fillTown(app, saturdayEvening)
  const { text } = await api(app, '/')
  expect(text).toContain('Fernsuppe')
  expect(text).toContain('Fernbrot')
  // two among the deals, and one in the line of tonight
  expect(new Set(text.match(/Vielerlei \d+/g)).size).toBe(3)
})
