import { afterAll, beforeAll, expect, it } from 'vitest'
import { addBusiness, addDeal } from '../../../test/cast.ts'
import { fillOpenings } from '../../businesses/server/businesses.ts'
import { systemClock } from '../../kit/server/clock.ts'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'
import type { Deal } from '../contract.ts'

/** What guests type, in four languages, and a deal of the demo that it must find. */
const queries: [typed: string, finds: string][] = [
  ['gratis', 'Wasser ist'],
  ['free', 'Handy laden'],
  ['gratuit', 'Wasser ist'],
  ['kostenlos', 'Handy laden'],
  ['umsonst', 'Wasser ist'],
  ['offert', 'Wasser ist'],
  ['glace', 'La troisième'],
  ['Glacé', 'Sorbet de'],
  ['eis', 'Fähre und'],
  ['ice cream', 'Bac familial'],
  ['gelato', 'La troisième'],
  ['Znüni', 'Cinnamon bun'],
  ['znueni', 'Cinnamon bun'],
  ['zvieri', 'Feierabendsack: was'],
  ['goûter', 'Feierabendsack: was'],
  ['snack', 'Feierabendsack: was'],
  ['imbiss', 'Cinnamon bun'],
  ['Apéro', 'Two Negroni'],
  ['apero', 'La carafe'],
  ['aperitif', 'Trois verres'],
  ['aperitivo', 'Lantern hour'],
  ['Feierabend', 'Zapfstunde: jeder'],
  ['after work', 'Zapfstunde: jeder'],
  ['bier', 'Une saucisse'],
  ['beer', 'Gig and a beer'],
  ['bière', 'Braumeisterbrett: fünf'],
  ['Stange', 'Une saucisse'],
  ['bierli', 'Stammtischbier, 3'],
  ['panaché', 'Two shandies'],
  ['ipa', 'Grünhopfen-Ale, das'],
  ['wein', 'Trois verres'],
  ['wine', 'Droit de'],
  ['vin', 'Vin nature'],
  ['vino', 'Assiette de'],
  ['rotwein', 'Les bouteilles'],
  ['Suuser', 'Heisse Marroni'],
  ['kaffee', 'Second coffee'],
  ['coffee', 'Kaffeevelo für'],
  ['café', 'Oat milk'],
  ['kafi', 'Brunch zwischen'],
  ['caffe', 'Oat milk'],
  ['espresso', 'Kaffeevelo für'],
  ['cappuccino', 'Cinnamon bun'],
  ['tee', 'Tee aufs'],
  ['tea', 'Le thé'],
  ['thé', 'Tee aufs'],
  ['frühstück', 'Wristband breakfast'],
  ['breakfast', 'Brunch zwischen'],
  ['petit déjeuner', 'Wristband breakfast'],
  ['zmorge', 'Sechs Gipfeli'],
  ['brunch', 'Brunch zwischen'],
  ['zmittag', 'Mittagsmenü mit'],
  ['lunch', 'Mittagsbox mit'],
  ['Mittagessen', 'Falafel im'],
  ['déjeuner', 'Mittagsbox mit'],
  ['plat du jour', 'Mittagsmenü mit'],
  ['znacht', 'Moitié-moitié für'],
  ['abendessen', 'Cordon-bleu-Donnerstag'],
  ['souper', 'Moitié-moitié für'],
  ['brot', 'Sauerteig zur'],
  ['bread', 'Sauerteig zur'],
  ['pain', 'Sauerteig zur'],
  ['gipfeli', 'Sechs Gipfeli'],
  ['croissant', 'Matinee mit'],
  ['wurst', 'Une saucisse'],
  ['cervelat', 'Une saucisse'],
  ['saucisse', 'Une saucisse'],
  ['käse', 'Assiette de'],
  ['fromage', 'Raclette pour'],
  ['cheese', 'Fins de'],
  ['raclette', 'Raclette pour'],
  ['fondue', 'Fondue am'],
  ['vegan', 'Veganes Brett'],
  ['végétalien', 'Plate for two'],
  ['pflanzlich', 'Marinara, végane'],
  ['vegetarisch', 'Margherita à'],
  ['vegi', 'Fladenbrot aus'],
  ['végétarien', 'Maiskolben bei'],
  ['happy hour', 'Zapfstunde: jeder'],
  ['heure heureuse', 'Zapfstunde: jeder'],
  ['livemusik', 'Gig and a beer'],
  ['konzert', 'Second set'],
  ['concert', 'Jam session'],
  ['tanzen', 'Swing-Mittwoch, die'],
  ['danser', 'Swing-Mittwoch, die'],
  ['tanz', 'Swing-Mittwoch, die'],
  ['techno', 'Frühstücks-Rave: Kaffee'],
  ['disco', 'Frühstücks-Rave: Kaffee'],
  ['massage', 'Tanzfüsse: Fussbad'],
  ['sauna', 'Früher Dampf'],
  ['hammam', 'Früher Dampf'],
  ['musée', 'Deux entrées'],
  ['museum', 'Jour du'],
  ['kino', 'Zehn Filme'],
  ['cinéma', 'Zehn Filme'],
  ['movie', 'Zehn Filme'],
  ['vintage', 'Tauschstunde: drei'],
  ['second hand', 'Three used records'],
  ['brocki', 'Tauschstunde: drei'],
  ['vinyl', 'Techno twelve-inches'],
  ['vinyle', 'Record wash'],
  ['schallplatten', 'Record wash'],
  ['platten', 'Three used records'],
  ['bücher', 'Buch und'],
  ['livres', 'Blind Date'],
  ['books', 'Blind Date'],
  ['blumen', 'Le bouquet'],
  ['fleurs', 'Le bouquet'],
  ['velo', 'Festivalcheck für'],
  ['vélo', 'Festivalcheck für'],
  ['fahrrad', 'Festivalcheck für'],
  ['bicycle', 'Festivalcheck für'],
  ['wasser', 'Wasser ist'],
  ['eau', 'Wasser ist'],
  ['limonade', 'Falafel im'],
  ['cocktail', 'Bartender'],
  ['negroni', 'Two Negroni'],
  ['alkoholfrei', 'Alkoholfreies Weizen'],
  ['sans alcool', 'Alkoholfreies Weizen'],
  ['kuchen', 'Cinnamon bun'],
  ['gâteau', 'Cinnamon bun'],
  ['wähe', 'Cinnamon bun'],
  ['döner', 'Kebab und'],
  ['kebap', 'Kebab und'],
  ['ramen', 'Späte Schale'],
  ['nudeln', 'Späte Schale'],
  ['suppe', 'Nachtsuppe, CHF'],
  ['soupe', 'Nachtsuppe im'],
  ['kinder', 'Les enfants'],
  ['enfants', 'Table de'],
  ['familie', 'Bac familial'],
  ['étudiants', 'Studinacht, 10'],
  ['aufladen', 'Handy laden'],
  ['powerbank', 'Handy laden'],
  ['regenschirm', 'Jour du'],
  ['pluie', 'Regenponcho und'],
  ['coiffeur', 'Fransen schneiden'],
  ['haircut', 'Bühnenzöpfe und'],
  ['rhyschwumm', 'Le thé'],
  ['nager', 'Le thé'],
  ['spät', 'Nachtwrap bis'],
  ['tard', 'Mitternachtssuppe für'],
  ['jass', 'Jassabend: Karten'],
  ['margerita', 'Margherita à'],
  ['negrooni', 'Two Negroni'],
  ['piza', 'Margherita à'],
]

/** Words with a second meaning, or that begin another word, and a deal that they must not find. */
const elsewhere = [
  'techno',
  'party',
  'club',
  'disco',
  'rave',
  'saft',
  'juice',
  'jus',
  'glace',
  'eis',
  'gelato',
  'bücher',
  'bier',
  'beer',
  'tanzen',
]

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ demo: true })
  const beiz = await addBusiness(app.db, 'Beiz zum Missverständnis', { open_hours: '24/7' })
  await addDeal(app.db, beiz, 'Pudding on the house', {
    description: 'Most welcome: served on ice, with a discount. Book a table. Danke an alle!',
  })
  await fillOpenings({ db: app.db, clock: systemClock })
})
it.each(['constructor', '__proto__', 'toString', 'pizza hasOwnProperty'])(
  'names of JavaScript properties are words like any other: %s',
  async (word) => {
    for (const path of ['/api/deals', '/api/deals/search'])
      expect((await api(app, `${path}?q=${encodeURIComponent(word)}`)).status).toBe(200)
  },
)

afterAll(() => app.close())

const found = async (typed: string) =>
  ((await api(app, `/api/deals?limit=100&q=${encodeURIComponent(typed)}`)).body as Deal[]).map((deal) => deal.deal_name)

it('small words, small numbers and the city are ignored unless nothing else was typed', async () => {
  for (const [typed, alone] of [
    ['fondue für 2', 'fondue'],
    ['where is fondue', 'fondue'],
    ['fondue in Basel', 'fondue'],
    ['un café à Bâle', 'café'],
  ] as const)
    expect(await found(typed), typed).toEqual(await found(alone))
  expect((await found('zwei für eins')).length).toBeGreaterThan(0)
  expect((await found('Basel')).length).toBeGreaterThan(0)
})

it('at least 120 queries are tested', () => expect(queries.length).toBeGreaterThanOrEqual(120))

it.each(queries)('"%s" finds "%s"', async (typed, finds) => {
  const names = await found(typed)
  expect(
    names.some((name) => name.includes(finds)),
    names.join('; '),
  ).toBe(true)
})

it.each(elsewhere)('"%s" does not find what only looks like it', async (typed) => {
  expect((await found(typed)).join('; ')).not.toContain('Pudding on the house')
})

it('a word with several meanings finds deals with the word', async () => {
  for (const typed of ['pudding', 'house', 'discount', 'ice'])
    expect(await found(typed)).toContain('Pudding on the house')
})

it('whole words come before parts: "vin" is no vinyl, "thé" is no theatre', async () => {
  expect((await found('vin')).join(' ')).not.toMatch(/record|twelve-inches/i)
  expect((await found('thé')).length).toBeLessThan(6)
})
