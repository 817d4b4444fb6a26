import { expect, it } from 'vitest'
import { emptyFields, payloadOf, wallTime } from './deal-fields.ts'

it('a form always sends the four specified fields, and of the others those that were changed', () => {
  const values = { ...emptyFields, deal_name: 'Spritz', tags: 'cold, summer ,', active_days: '5,6', price_chf: '9,50' }
  expect(payloadOf(values, [])).toEqual({ deal_name: 'Spritz', description: '', price: '', discount: '' })
  expect(payloadOf(values, ['tags', 'active_days', 'price_chf'])).toMatchObject({
    tags: ['cold', 'summer'],
    active_days: [5, 6],
    price_chf: '9.50',
  })
})
it('what belongs together is sent together', () => {
  const values = { ...emptyFields, latitude: '47', longitude: '7' }
  expect(payloadOf(values, ['latitude'])).toMatchObject({ latitude: '47', longitude: '7' })
})
it('times are shown by the clocks of the festival, in summer and winter', () => {
  expect(wallTime('2026-06-20T16:00:00Z', 'Europe/Zurich')).toBe('2026-06-20T18:00')
  expect(wallTime('2026-12-20T16:00:00Z', 'Europe/Zurich')).toBe('2026-12-20T17:00')
})
