import { expect, it } from 'vitest'
import { venueChanges, venueFieldsOf } from './venue-fields.ts'

const fields = { ...venueFieldsOf(null), venue_name: 'Kaserne', position: '47.5636, 7.5907', capacity: 'many' }

it('The form of a venue sends only changed fields; latitude and longitude together', () => {
  expect(venueChanges(fields, [])).toEqual({})
  expect(venueChanges(fields, ['capacity'])).toEqual({ capacity: 'many' })
  expect(venueChanges(fields, ['position'])).toEqual({ latitude: '47.5636', longitude: '7.5907' })
  expect(venueChanges({ ...fields, position: '', address: ' ' }, ['position', 'address'])).toEqual({
    address: null,
    latitude: null,
    longitude: null,
  })
})
