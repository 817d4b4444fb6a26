import type { Category } from '../brand/categories.ts'

/**
 * Words that people type for a category, compared without case and accents: its names in English, German and French, and
 * after the bar other words with that meaning.
 */
const words: Record<Category, string> = {
  food: `food, food & dining, essen, essen & trinken, cuisine |
    dining, eat, eating, restaurant, restaurants, meal, lunch, dinner, brunch, breakfast, snack, street food, takeaway,
    speisen, imbiss, zmittag, znacht, mittagessen, abendessen, frühstück, gastronomie,
    restauration, manger, repas, déjeuner, dîner, petit-déjeuner`,
  drinks: `drinks, drink, getränke, boissons |
    beverages, coffee, cafe, café, tea, beer, wine, cocktail, cocktails, bar, bars, pub,
    getränk, trinken, kaffee, bier, wein, beiz, boisson, boire, bière, vin`,
  nightlife: `nightlife, nachtleben, vie nocturne |
    night, club, clubs, clubbing, party, dance, disco, after hours, ausgang, tanzen, nuit, soirée, fête, danse`,
  shopping: `shopping, einkaufen, boutiques, achats |
    shop, shops, store, stores, retail, fashion, vinyl, records, vintage, market, läden, laden,
    geschäft, geschäfte, mode, schallplatten, markt, magasin, magasins, boutique, marché`,
  culture: `culture, kultur |
    art, arts, museum, museums, theatre, theater, gallery, cinema, film, concert, music,
    kunst, museen, galerie, kino, konzert, musik, musée, art et culture, cinéma, musique`,
  wellness: `wellness, wellness & schönheit, bien-être |
    spa, massage, sauna, yoga, beauty, hairdresser, barber, swim, bath,
    schönheit, coiffeur, baden, bad, beauté, détente, bain`,
  other: `other, others, anderes, autre |
    misc, various, sonstiges, andere, diverses, autres, divers`,
}

/** Lower case, without accents and punctuation, to compare words. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const byName = new Map<string, Category>()
const byWord = new Map<string, Category>()
for (const [category, list] of Object.entries(words) as [Category, string][]) {
  const [names = '', others = ''] = list.split('|')
  for (const word of names.split(',')) byName.set(plain(word), category)
  for (const word of [...names.split(','), ...others.split(',')])
    byWord.set(plain(word), byWord.get(plain(word)) ?? category)
}

/** The category that a typed word names or means, in any language; umlauts may be typed as two letters. null: none. */
export function categoryNamed(typed: string): Category | null {
  return lookUp(byWord, typed)
}

/** The category that has the typed word as its name; words that only mean it do not count. */
export function categoryLabelled(typed: string): Category | null {
  return lookUp(byName, typed)
}

function lookUp(known: Map<string, Category>, typed: string): Category | null {
  const word = plain(typed)
  return known.get(word) ?? known.get(word.replace(/ae/g, 'a').replace(/oe/g, 'o').replace(/ue/g, 'u')) ?? null
}
