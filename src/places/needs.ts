import { fold } from '../kit/shared/search-fold.ts'
import type { PlaceKind } from './contract.ts'

/** What people look for in any search field when they need help. */
export type Need = PlaceKind | 'help' | 'lost' | 'tram' | 'police' | 'quiet'

/** Words for each need, in English, German and French, separated by commas; accents and case do not matter. */
const words: Record<Need, string> = {
  toilet: `toilet, toilets, wc, loo, restroom, bathroom, toilette, toiletten, klo, pissoir, toilettes, cabinets`,
  water: `water, drinking water, drinking fountain, fountain, wasser, trinkwasser, brunnen, trinkbrunnen, eau, eau potable,
    fontaine`,
  first_aid: `first aid, ambulance, doctor, medic, injured, hurt, erste hilfe, sanität, sanitäter, samariter, arzt, verletzt,
    defibrillator, aed, premiers secours, secours, ambulance, médecin, blessé`,
  step_free: `step free, stepfree, wheelchair, accessible, accessibility, ramp, lift, rollstuhl, rollstuhlgängig, stufenlos,
    barrierefrei, rampe, aufzug, accessibilité, fauteuil roulant, sans marches, plain-pied, de plain-pied, ascenseur`,
  help: `help, emergency, sos, hilfe, notfall, aide, urgence`,
  lost: `lost, lost and found, lost property, lost phone, lost keys, verloren, fundbüro, fundsachen, perdu,
    objets trouvés, objets perdus`,
  tram: `tram, last tram, trams, night bus, train, bus, letztes tram, nachtbus, zug, dernier tram, bus de nuit`,
  police: `police, polizei, notruf, theft, stolen, gestohlen, diebstahl, vol, volé`,
  quiet: `quiet, quiet area, quiet place, calm, ruhe, ruhig, ruhezone, ruheraum, calme, zone calme, repos`,
}

/** The places that meet a need; null: none do. */
export const placesFor = (need: Need | null): PlaceKind | null =>
  need === 'help'
    ? 'first_aid'
    : need !== null && !['lost', 'tram', 'police', 'quiet'].includes(need)
      ? (need as PlaceKind)
      : null

/** Words around what is meant: "where is the nearest toilet". */
const small = new Set(
  `where is are the a an i need my nearest closest next near me here please find to wo ist sind die der das ein eine ich
  brauche mein meine nächste nächster nächstes hier bitte où est sont le la les l un une je cherche mon ma mes plus proche ici`
    .split(/\s+/)
    .map((word) => fold(word)),
)

/** `word`: folded. */
export const isSmallWord = (word: string) => small.has(word)

const phrases = new Map<string, Need>()
for (const [need, list] of Object.entries(words) as [Need, string][])
  for (const phrase of list.split(',')) phrases.set(plain(phrase), phrases.get(plain(phrase)) ?? need)

/** The need that a search means; null: none. From six letters on a phrase may have one wrong, missing or swapped letter. */
export function needIn(typed: string | undefined): Need | null {
  if (!typed || typed.length > 60) return null
  const asked = plain(typed)
  const core = asked
    .split(' ')
    .filter((word) => !small.has(word))
    .join(' ')
  const exact = phrases.get(asked) ?? phrases.get(core)
  if (exact) return exact
  if (core.length < mistypedFrom) return null
  for (const [phrase, need] of phrases)
    if (phrase.length >= mistypedFrom && phrase[0] === core[0] && isOneApart(phrase, core)) return need
  return null
}

const mistypedFrom = 6

/** Folded words, one space between them. Hyphens, "&" and apostrophes do not matter. */
function plain(text: string): string {
  return fold(text.replace(/['’]/g, ' ').replace(/&/g, ' and ')).trim()
}

/** Whether one letter is wrong, missing or too many, or two neighbours are swapped. */
function isOneApart(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const rest = (text: string, skipped: number) => text.slice(at + skipped)
  return (
    rest(one, 1) === rest(other, 1) ||
    rest(one, 1) === rest(other, 0) ||
    rest(one, 0) === rest(other, 1) ||
    (one[at] === other[at + 1] && one[at + 1] === other[at] && rest(one, 2) === rest(other, 2))
  )
}
