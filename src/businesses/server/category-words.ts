/** The categories of the house, which merchants and deals share. */
type Category = 'food' | 'drinks' | 'nightlife' | 'shopping' | 'culture' | 'wellness' | 'other'

/**
 * Words by which people ask for a category: its key, its labels in English, German and French, and synonyms. They are
 * compared without case and accents.
 */
const words: Record<Category, string> = {
  food: `food, food & dining, dining, eat, eating, restaurant, restaurants, meal, lunch, dinner, brunch, breakfast, snack, street food, takeaway,
    essen, essen & trinken, speisen, imbiss, zmittag, znacht, mittagessen, abendessen, frühstück, gastronomie,
    restauration, manger, repas, cuisine, déjeuner, dîner, petit-déjeuner`,
  drinks: `drinks, drink, beverages, coffee, cafe, café, tea, beer, wine, cocktail, cocktails, bar, bars, pub,
    getränke, getränk, trinken, kaffee, bier, wein, beiz, boissons, boisson, boire, bière, vin`,
  nightlife: `nightlife, night, club, clubs, clubbing, party, dance, disco, after hours, nachtleben, ausgang, tanzen,
    vie nocturne, nuit, soirée, fête, danse`,
  shopping: `shopping, shop, shops, store, stores, retail, fashion, vinyl, records, vintage, market, einkaufen, läden, laden,
    geschäft, geschäfte, mode, schallplatten, markt, achats, magasin, magasins, boutique, marché`,
  culture: `culture, art, arts, museum, museums, theatre, theater, gallery, cinema, film, concert, music,
    kultur, kunst, museen, galerie, kino, konzert, musik, musée, art et culture, cinéma, musique`,
  wellness: `wellness, spa, massage, sauna, yoga, beauty, hairdresser, barber, swim, bath,
    wellness & schönheit, schönheit, coiffeur, baden, bad, bien-être, beauté, détente, bain`,
  other: `other, others, misc, various, sonstiges, anderes, andere, diverses, autre, autres, divers`,
}

/** Lower case, no accents, no punctuation: how category words are compared. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const byWord = new Map<string, Category>()
for (const [category, list] of Object.entries(words) as [Category, string][]) {
  for (const word of list.split(',')) byWord.set(plain(word), byWord.get(plain(word)) ?? category)
}

/** The category that a typed text names in any of the languages, umlauts also typed as two letters; null: none. */
export function categoryNamed(typed: string): Category | null {
  const word = plain(typed)
  return byWord.get(word) ?? byWord.get(word.replace(/ae/g, 'a').replace(/oe/g, 'o').replace(/ue/g, 'u')) ?? null
}
