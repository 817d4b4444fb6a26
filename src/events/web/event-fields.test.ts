import { expect, it } from 'vitest'
import type { Event } from '../contract.ts'
import { fieldsOf, saidIn } from './event-fields.ts'

const zone = 'Europe/Zurich'
const named = (...names: string[]) =>
  ({
    title: 'Elements',
    status: 'scheduled',
    category: 'music',
    performers: names.map((performer_name) => ({ performer_id: performer_name, performer_name })),
    languages: ['en'],
    previous: null,
  }) as unknown as Event

it('The form of an event has a performer on each line, whose name may hold a comma, and says nothing of untouched ones', () => {
  const event = named('Earth, Wind & Fire')
  const fields = fieldsOf(event, zone)
  expect(saidIn(fields, event, zone).body).not.toHaveProperty('performers')
  const more = { ...fields, performers: `${fields['performers']}\n Glasshouse \n` }
  expect(saidIn(more, event, zone).body).toMatchObject({ performers: ['Earth, Wind & Fire', 'Glasshouse'] })
  expect(saidIn({ ...fields, performers: '' }, event, zone).body).toMatchObject({ performers: [] })
  expect(saidIn({ ...fields, languages: 'de, en' }, event, zone).body).toMatchObject({ languages: ['de', 'en'] })
})
