/** A stage of the demo as a person writes it down, and the public place where it stands. */
export interface DemoStage {
  key: string
  stage: string
  venue: string
  address: string
  at: [number, number]
  capacity: number
  stepFree: boolean | null
  quiet: boolean | null
}

/** Public squares of Basel, set by hand within about 50 m; the stages on them are invented. */
export const demoStages: DemoStage[] = [
  {
    key: 'rhine',
    stage: 'Rheinbühne',
    venue: 'Oberer Rheinweg',
    address: 'Oberer Rheinweg, 4058 Basel',
    at: [47.5606, 7.5931],
    capacity: 2400,
    stepFree: true,
    quiet: false,
  },
  {
    key: 'minster',
    stage: 'Münsterbühne',
    venue: 'Münsterplatz',
    address: 'Münsterplatz, 4051 Basel',
    at: [47.5566, 7.5916],
    capacity: 3000,
    stepFree: true,
    quiet: true,
  },
  {
    key: 'tent',
    stage: 'Lampionzelt',
    venue: 'Kasernenwiese',
    address: 'Klybeckstrasse, 4057 Basel',
    at: [47.5636, 7.5907],
    capacity: 900,
    stepFree: true,
    quiet: true,
  },
  {
    key: 'market',
    stage: 'Marktbühne',
    venue: 'Marktplatz',
    address: 'Marktplatz, 4051 Basel',
    at: [47.5581, 7.588],
    capacity: 700,
    stepFree: true,
    quiet: null,
  },
  {
    key: 'ship',
    stage: 'Nachtschiff',
    venue: 'Schifflände',
    address: 'Schifflände, 4051 Basel',
    at: [47.5603, 7.5878],
    capacity: 280,
    stepFree: false,
    quiet: false,
  },
  {
    key: 'harbour',
    stage: 'Hafenhalle',
    venue: 'Uferstrasse am Hafen',
    address: 'Uferstrasse, 4057 Basel',
    at: [47.5795, 7.5869],
    capacity: 1200,
    stepFree: true,
    quiet: false,
  },
  {
    key: 'workshop',
    stage: 'Werkstatt',
    venue: 'Petersplatz',
    address: 'Petersplatz, 4051 Basel',
    at: [47.5589, 7.5826],
    capacity: 80,
    stepFree: true,
    quiet: true,
  },
  {
    key: 'meadow',
    stage: 'Kinderwiese',
    venue: 'Schützenmattpark',
    address: 'Schützenmattpark, 4054 Basel',
    at: [47.5527, 7.5729],
    capacity: 500,
    stepFree: null,
    quiet: true,
  },
]
