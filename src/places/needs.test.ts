import { expect, it } from 'vitest'
import { needIn, type Need } from './needs.ts'

it.each<[Need, string]>([
  ['toilet', 'toilet, WC, loo, Toilette, toilettes, Where is the toilet?, tiolet, où sont les toilettes'],
  ['water', 'water, Wasser, Trinkwasser, drinking fountain, eau, l’eau potable'],
  ['first_aid', 'first aid, First-Aid, Erste Hilfe, Sanität, Sanitaet, premiers secours, premier secours'],
  [
    'step_free',
    'step-free, wheelchair, stufenlos, rollstuhlgängig, accessible, wheelchiar, plain-pied, de plain-pied, sans marches',
  ],
  ['help', 'help, Hilfe, aide'],
  ['lost', 'lost, lost and found, Lost & Found, verloren, Fundbüro, perdu, objets trouvés'],
  ['tram', 'tram, last tram, dernier tram, letztes Tram'],
  ['police', 'police, Polizei, Notruf'],
  ['quiet', 'quiet, ruhig, Ruhe, calme'],
])('a search for %s is understood in three languages: %s', (need, list) => {
  for (const typed of list.split(',')) expect([typed, needIn(typed)]).toEqual([typed, need])
})

it('other searches are not taken for a need', () => {
  for (const typed of ['', 'fondue', 'wine', 'lost frequencies', 'waiter', 'laser', 'self-help books', 'Tramhaus'])
    expect([typed, needIn(typed)]).toEqual([typed, null])
})
