import { expect, it } from 'vitest'
import { isZone } from './read-times.ts'
import { windowsNames, zoneNamed } from './zone-names.ts'

it.each([
  ['Europe/Zurich', 'Europe/Zurich'],
  ['W. Europe Standard Time', 'Europe/Berlin'],
  ['w. europe standard time', 'Europe/Berlin'],
  ['Romance Standard Time', 'Europe/Paris'],
  ['Central Standard Time (Mexico)', 'America/Mexico_City'],
  ['/freeassociation.sourceforge.net/Europe/Zurich', 'Europe/Zurich'],
  ['/freeassociation.sourceforge.net/Tzfile/Europe/Zurich', 'Europe/Zurich'],
  ['/mozilla.org/20050126_1/America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['/citadel.org/20190914_1/Europe/Berlin', 'Europe/Berlin'],
  ['UTC+01:00', '+01:00'],
  ['GMT+1', '+01:00'],
  ['GMT-0530', '-05:30'],
  ['CET', 'Europe/Berlin'],
  ['CEST', 'Europe/Berlin'],
  ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', 'Europe/Amsterdam'],
  ['(GMT+01:00) Nowhere at all', '+01:00'],
  ['Zurich', 'Europe/Zurich'],
  ['Mars/Olympus', null],
  ['Customized Time Zone', null],
  ['', null],
])('“%s” is the zone %s', (name, zone) => expect(zoneNamed(name)).toBe(zone))

it('knows each zone of the table', () => {
  expect([...windowsNames.values()].filter((zone) => !isZone(zone))).toEqual([])
  expect(windowsNames.size).toBeGreaterThan(120)
})
