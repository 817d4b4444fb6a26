import type { Sql } from '../../kit/server/database.ts'
import { insertRows, stableId } from '../../kit/server/demo-rows.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { positionNear } from '../../map/demo/position-near.ts'
import type { PlaceKind } from '../contract.ts'

type DemoPlace = [
  name: string,
  kind: PlaceKind,
  at: [latitude: number, longitude: number],
  stepFree: boolean | null,
  note: string | null,
]

/** Near the stages of the demo, set by hand; the places are invented. */
const demoPlaces: DemoPlace[] = [
  ['WC Münsterplatz', 'toilet', [47.5569, 7.5921], true, 'Rund um die Uhr, Eurokey'],
  ['WC Kasernenwiese', 'toilet', [47.5639, 7.5901], true, 'Beim Zelt, bis 03:00'],
  ['WC Marktplatz', 'toilet', [47.5579, 7.5884], false, 'Im Untergeschoss, bis 24:00'],
  ['WC Oberer Rheinweg', 'toilet', [47.561, 7.5937], true, 'Kabinen, während des Festivals'],
  ['Toilettes de la Schifflände', 'toilet', [47.5604, 7.5882], null, 'Jusqu’à 2 heures'],
  ['WC Barfüsserplatz', 'toilet', [47.5546, 7.5886], true, null],
  ['Münsterbrunnen', 'water', [47.5563, 7.5918], true, 'Trinkwasser'],
  ['Brunnen am Rheinweg', 'water', [47.5608, 7.5926], true, 'Becher auffüllen erlaubt'],
  ['Fontaine de la Caserne', 'water', [47.5634, 7.5911], true, 'Eau potable'],
  ['Brunnen Marktplatz', 'water', [47.5583, 7.5877], true, null],
  ['Sanitätsposten Rheinbühne', 'first_aid', [47.5604, 7.5938], true, 'Samariter, 14:00 bis 03:00'],
  ['Sanitätsposten Münsterplatz', 'first_aid', [47.5566, 7.5908], true, 'Samariter, 12:00 bis 01:00'],
  ['First aid Kaserne', 'first_aid', [47.5641, 7.5913], true, 'Samaritans, 12:00 to 03:00'],
  ['Lift zum Münsterhügel', 'step_free', [47.5574, 7.5902], true, 'Vom Schlüsselberg, bis 02:00'],
  ['Rampe zum Rheinufer', 'step_free', [47.5612, 7.5921], true, 'Stufenlos zur Rheinbühne'],
  ['Rampe de la Schifflände', 'step_free', [47.5601, 7.5873], true, 'Sans marches jusqu’au bateau'],
]

export async function fillDemoPlaces(
  trx: Sql,
  { now, centre }: { now: Temporal.Instant; centre: Position },
): Promise<void> {
  await insertRows(
    trx,
    'useful_places',
    demoPlaces.map(([place_name, kind, at, step_free, note]) => ({
      place_id: stableId(`place ${place_name}`),
      place_name,
      kind,
      ...positionNear(centre, at),
      step_free,
      note,
      updated_at: now.toString(),
    })),
  )
}
