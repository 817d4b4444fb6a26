/**
 * Words for the same thing in German, French, English and Swiss German. A search for one of a row also finds the others. Each is a
 * phrase of up to three words; accents and ae, oe, ue do not matter.
 */
const rows = [
  ['gratis', 'free', 'gratuit', 'kostenlos', 'umsonst', 'offert', 'offerte'],
  ['glace', 'glacé', 'eis', 'gelato', 'gelateria', 'ice cream', 'ice', 'glacee', 'glacestand'],
  ['znüni', 'zvieri', 'snack', 'imbiss', 'goûter', 'häppchen'],
  ['apéro', 'aperitif', 'aperitivo', 'feierabend', 'after work', 'afterwork', 'spritz'],
  ['bier', 'beer', 'bière', 'stange', 'ale', 'pint', 'bierli', 'pils', 'ipa'],
  ['wein', 'wine', 'vin', 'vino', 'wy', 'pinot', 'weisswein', 'rotwein', 'suuser'],
  ['kaffee', 'coffee', 'café', 'kafi', 'espresso', 'cappuccino', 'kaffi'],
  ['tee', 'tea'],
  ['frühstück', 'breakfast', 'petit déjeuner', 'zmorge', 'brunch', 'morgenessen'],
  ['mittagessen', 'lunch', 'zmittag', 'déjeuner', 'mittagsmenü', 'tagesmenü', 'plat du jour', 'mittag'],
  ['abendessen', 'dinner', 'znacht', 'souper', 'dîner', 'nachtessen'],
  ['brot', 'bread', 'pain', 'brötli', 'weggli'],
  ['gipfeli', 'croissant', 'croissants'],
  ['wurst', 'sausage', 'bratwurst', 'cervelat', 'saucisse', 'klöpfer'],
  ['pommes', 'fries', 'frites', 'pommes frites'],
  ['käse', 'cheese', 'fromage', 'chäs', 'raclette', 'fondue'],
  ['vegan', 'végane', 'végétalien', 'pflanzlich', 'plant based'],
  ['vegetarisch', 'vegetarian', 'végétarien', 'vegi', 'veggie', 'fleischlos'],
  ['livemusik', 'live music', 'konzert', 'concert', 'gig', 'musique live'],
  ['tanzen', 'dance', 'danser', 'tanz', 'danse', 'dancing'],
  ['disco', 'club', 'party', 'techno', 'clubbing', 'house', 'rave'],
  ['massage', 'massagen', 'massages'],
  ['sauna', 'spa', 'dampfbad', 'hammam'],
  ['museum', 'musée', 'ausstellung', 'exhibition', 'exposition'],
  ['kino', 'cinema', 'cinéma', 'film', 'movie', 'filme'],
  ['kleider', 'clothes', 'vêtements', 'mode', 'fashion', 'klamotten'],
  ['secondhand', 'second hand', 'vintage', 'brocki', 'brockenhaus', 'occasion', 'friperie'],
  ['schuhe', 'shoes', 'chaussures', 'sneaker', 'sneakers'],
  ['bücher', 'buch', 'books', 'book', 'livres', 'livre'],
  ['schallplatte', 'schallplatten', 'vinyl', 'vinyle', 'record', 'records', 'platten', 'disque'],
  ['blumen', 'flowers', 'fleurs', 'blume', 'flower', 'bouquet'],
  ['velo', 'bike', 'vélo', 'fahrrad', 'bicycle', 'bikes', 'velos'],
  ['wasser', 'water', 'eau'],
  ['saft', 'juice', 'jus', 'most', 'süssmost', 'smoothie'],
  ['limonade', 'lemonade', 'limo', 'sirup', 'sirop', 'syrup'],
  ['cocktail', 'cocktails', 'drink', 'drinks', 'longdrink', 'negroni', 'martini'],
  ['alkoholfrei', 'alcohol free', 'sans alcool', 'non alcoholic', 'mocktail'],
  ['schokolade', 'chocolate', 'chocolat', 'schoggi'],
  ['kuchen', 'cake', 'gâteau', 'torte', 'wähe', 'tarte', 'tart'],
  ['kebab', 'döner', 'kebap', 'doner', 'dürüm'],
  ['burger', 'hamburger', 'cheeseburger'],
  ['nudeln', 'pasta', 'pâtes', 'nouilles', 'noodles', 'spaghetti', 'ramen'],
  ['reis', 'rice', 'riz'],
  ['suppe', 'soup', 'soupe'],
  ['salat', 'salad', 'salade'],
  ['fisch', 'fish', 'poisson', 'sushi'],
  ['poulet', 'chicken', 'huhn', 'güggeli', 'hähnchen'],
  ['kinder', 'kids', 'children', 'enfants', 'familie', 'family', 'famille', 'kind'],
  ['studierende', 'students', 'student', 'étudiants', 'studenten', 'étudiant'],
  ['rabatt', 'discount', 'rabais', 'aktion', 'prozent'],
  ['aufladen', 'charger', 'akku', 'powerbank', 'ladegerät', 'charged', 'charging', 'recharger'],
  ['schirm', 'umbrella', 'parapluie', 'regenschirm', 'regen', 'rain', 'pluie'],
  ['coiffeur', 'haircut', 'friseur', 'barber', 'coiffure', 'haarschnitt', 'hair'],
  ['schwimmen', 'swim', 'nager', 'rhyschwumm', 'rheinschwimmen', 'badi', 'baden', 'swimmers'],
  ['spät', 'late', 'late night', 'tard', 'nacht', 'night', 'nuit', 'mitternacht', 'midnight'],
  ['spiel', 'game', 'jeu', 'spiele', 'games', 'jeux', 'spielen', 'jass'],
  ['foto', 'photo', 'photos', 'fotos', 'fotobox', 'photo booth'],
  ['zwei für eins', '2 for 1', 'two for one', '2 für 1', 'deux pour un'],
  ['happy hour', 'heure heureuse', 'happyhour'],
] as const

/**
 * Words with a second meaning ("on the house", "most", "on ice") or folded like another word ("alle", "Danke"): other words of
 * their row do not find them.
 */
const ambiguous = new Set<string>(['house', 'most', 'ice', 'book', 'ale', 'dance'])

/** By folded word, its synonyms. */
const others = new Map<string, string[]>()
for (const row of rows)
  for (const each of row) {
    const known = others.get(folded(each)) ?? []
    others.set(folded(each), [...known, ...row.filter((other) => other !== each && !ambiguous.has(other))])
  }

/** Words that folding turns into another word: "thé" would find every "the". */
const misread = new Map([['thé', ['tea', 'tee']]])

const longestPhrase = 3
const endings = ['s', 'e', 'n', 'en']
/** Typed words of up to so many letters match whole words only anyway (decision 26). */
const shortWord = 4

/** Folded words that are ignored beside others: small words, and the city, in which every deal is. */
const small = new Set(
  `a am an and au avec bale basel basle das de der des die du ein eine et for fur im in ist is la le les mit of ou pour the
  un une und vom von where with wo zu zum zur`.split(/\s+/),
)
const isSmall = (word: string) => small.has(folded(word)) || /^\d{1,2}$/.test(word)

/**
 * Each term of a typed text with its synonyms, the typed word first. A known phrase ("ice cream") is one term. Unless `loose`, a
 * known word matches only as a whole word or its plural, so that "disco" does not find "discount"; '' marks such a term at its
 * beginning.
 */
export function termsWithSynonyms(typed: string, loose: boolean): string[][] {
  const words = typed.split(/\s+/).filter(Boolean)
  const terms: string[][] = []
  const isNarrowed = words.some((word) => !isSmall(word))
  for (let at = 0; at < words.length;) {
    let taken = 1
    for (let length = Math.min(longestPhrase, words.length - at); length > 1; length--)
      if (others.has(folded(words.slice(at, at + length).join(' ')))) {
        taken = length
        break
      }
    const term = words.slice(at, at + taken).join(' ')
    at += taken
    if (taken === 1 && isNarrowed && isSmall(term)) continue
    const known = others.get(folded(term))
    const plurals = taken === 1 && term.length > shortWord ? endings.map((ending) => term + ending) : []
    const asTyped = known && !loose ? ['', term, ...plurals] : [term]
    terms.push(misread.get(term.toLowerCase()) ?? [...asTyped, ...(known ?? [])])
  }
  return terms
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ae/g, 'a')
    .replace(/oe/g, 'o')
    .replace(/ue/g, 'u')
    .trim()
}
