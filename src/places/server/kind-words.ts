import type { PlaceKind } from '../contract.ts'

/** Words for each kind in English, German and French, and the values of OpenStreetMap. */
const words: [RegExp, PlaceKind][] = [
  [/^(wc|wcs|toilets?|toilettes?|toiletten?|klos?|restrooms?|loos?|pissoirs?)$/, 'toilet'],
  [
    /^(drinking[ _]water|water|wasser|trinkwasser|eau|eau potable|fountains?|brunnen|trinkbrunnen|fontaines?)$/,
    'water',
  ],
  [/^(first[ _]aid|erste hilfe|premiers secours|samariter|sanitat|sanitaet|secours|defibrillator|aed)$/, 'first_aid'],
  [
    /^(step[ _]free|stufenlos|stufenfrei|sans marches?|ramps?|rampen?|rampes?|lifts?|elevators?|ascenseurs?|aufzug|aufzuge)$/,
    'step_free',
  ],
]

/** The kind that a text names, whatever its case and accents; null: it names none. */
export function kindNamed(text: string): PlaceKind | null {
  const word = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s-]+/g, ' ')
    .trim()
  return words.find(([pattern]) => pattern.test(word))?.[1] ?? null
}
