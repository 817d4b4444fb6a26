import { expect, it } from 'vitest'
import { emptyDealForm } from '../../contract/editing.ts'
import { payloadOf, previewOf } from './deal-fields.ts'

it('a form always sends the four specified fields, and others that were changed', () => {
  const values = {
    ...emptyDealForm,
    deal_name: 'Spritz',
    tags: 'cold, summer ,',
    active_days: '5,6',
    price_chf: '9,50',
  }
  expect(payloadOf(values, [])).toEqual({ deal_name: 'Spritz', description: '', price: '', discount: '' })
  expect(payloadOf(values, ['tags', 'active_days', 'price_chf'])).toMatchObject({
    tags: ['cold', 'summer'],
    active_days: [5, 6],
    price_chf: '9.50',
  })
})
it('a price is sent without the typed currency, which screens add', () => {
  const priceOf = (price: string) => payloadOf({ ...emptyDealForm, price }, [])['price']
  expect(['CHF 12.50', '12.50 CHF', 'Fr. 12.–', 'chf12', '12.– Fr.'].map(priceOf)).toEqual([
    '12.50',
    '12.50',
    '12.–',
    '12',
    '12.–',
  ])
  expect(['from CHF 5', '2 for 1', 'Free', 'CHF'].map(priceOf)).toEqual(['from CHF 5', '2 for 1', 'Free', 'CHF'])
})
it('an amount that the form no longer shows is replaced by the amount of the price', () => {
  const of = { deal_id: 'new', business_name: '', is_premium: false }
  const values = { ...emptyDealForm, price: '2 for 1', price_chf: '10', regular_price_chf: '20' }
  const changed = ['price', 'price_chf', 'regular_price_chf']
  expect(payloadOf(values, changed)).toMatchObject({ price: '2 for 1', price_chf: '10' })
  expect(payloadOf({ ...values, price: 'CHF 15' }, changed)).toMatchObject({ price: '15', price_chf: '' })
  expect(payloadOf({ ...values, price: '15' }, ['price'])).not.toHaveProperty('price_chf')
  expect(previewOf(values, of, 'Europe/Zurich').price_chf).toBe(10)
  expect(previewOf({ ...values, price: 'CHF 15' }, of, 'Europe/Zurich').price_chf).toBe(15)
})
it('fields that belong together are sent together', () => {
  const values = { ...emptyDealForm, latitude: '47', longitude: '7' }
  expect(payloadOf(values, ['latitude'])).toMatchObject({ latitude: '47', longitude: '7' })
})
it('the preview of the card reads times as festival time, whatever the zone of the device', () => {
  const of = { deal_id: 'new', business_name: '', is_premium: false }
  const endOf = (ends_at: string, zone: string) => previewOf({ ...emptyDealForm, ends_at }, of, zone).over_at
  expect(endOf('2026-06-20T18:00', 'Europe/Zurich')).toBe('2026-06-20T16:00:00.000Z')
  expect(endOf('2026-12-20T18:00', 'Europe/Zurich')).toBe('2026-12-20T17:00:00.000Z')
  expect(endOf('2026-10-25T01:30', 'Europe/Zurich')).toBe('2026-10-24T23:30:00.000Z')
  expect(endOf('2026-10-25T04:00', 'Europe/Zurich')).toBe('2026-10-25T03:00:00.000Z')
  expect(endOf('2026-06-20T18:00', 'America/New_York')).toBe('2026-06-20T22:00:00.000Z')
})
it('the preview of the card works with incomplete or far-away times', () => {
  const of = { deal_id: 'new', business_name: '', is_premium: false }
  const endOf = (ends_at: string) => previewOf({ ...emptyDealForm, ends_at }, of, 'Europe/Zurich').over_at
  expect(endOf('')).toBeNull()
  expect(endOf('soon')).toBeNull()
  for (const typed of ['0002-06-20T18:00', '20266-06-20T18:00', '+275760-09-12T23:59'])
    expect(() => endOf(typed)).not.toThrow()
})
