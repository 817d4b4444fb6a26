/** Words of deals in the three languages of the region, frequent words first, to make texts for searches. */
const english = `coffee beer wine lunch dinner breakfast brunch burger pizza pasta soup salad bread cake chocolate cheese chicken fish rice noodles
  curry ramen kebab falafel tacos oysters steak risotto dumplings sandwich bagel waffle pancake muffin doughnut cookie smoothie juice lemonade
  cocktail whisky gin rum vodka cider spritz mojito negroni espresso cappuccino latte matcha tea happy hour night morning evening weekend
  Sunday Friday special offer free discount voucher ticket entry concert jazz techno house rock folk opera theatre cinema film gallery museum
  exhibition workshop tour yoga massage sauna haircut manicure facial pilates climbing swimming vinyl record book vintage jacket shoes sneakers
  bicycle repair flowers plants candle poster print camera jewellery perfume soap toys games puzzle guitar piano lesson dance party club garden
  terrace river harbour bridge market corner kitchen cellar rooftop vegan organic fresh homemade local seasonal spicy sweet crispy smoked grilled
  warm cold small large double family student friends two table glass bottle plate bowl picnic sunset sunrise playlist headphones karaoke quiz tasting barrel oven grill spoon pepper lemon garlic ginger mango
  hazelnut`
const german = `Kaffee Bier Wein Mittagessen Abendessen Frühstück Suppe Salat Brot Kuchen Käse Fondue Raclette Rösti Bratwurst Schnitzel Poulet Fisch
  Nudeln Glace Gipfeli Wähe Birchermüesli Zopf Läckerli Apéro Zmittag Znacht Znüni Zvieri Getränk Most Schorle Weisswein Rotwein Abend Nacht
  Morgen Wochenende Sonntag Freitag Angebot Rabatt Gutschein Eintritt Konzert Kino Theater Ausstellung Führung Werkstatt Massage Dampfbad
  Coiffeur Buch Bücher Schallplatten Velo Blumen Kerze Spielzeug Kleider Schuhe Schmuck Tanz Garten Terrasse Rhein Brücke Markt Ecke Küche
  Keller hausgemacht frisch regional knusprig würzig süss warm kalt gross klein doppelt Familie Studierende Freunde Tisch Glas Flasche Teller
  Schüssel Brauerei Bäckerei Metzgerei Buchhandlung Beiz Wirtschaft Stube Gässli Münster Spalen Fähre Ufer Quartier Fasnacht Laterne Trommel Brunnen
  Kirsche Zwetschge Nuss Honig Butter Zwiebel Pilz Kürbis Spargel Erdbeere Turm Gasse Platz Hafen Insel Sommer Winter Herbst Regen Sonne`
const french = `café bière vin déjeuner dîner soupe salade pain gâteau fromage tarte flambée quiche crêpe galette croissant baguette poisson poulet
  moules huîtres glace sorbet chocolat apéritif boisson cidre soirée nuit matin dimanche vendredi offre réduction gratuit billet entrée
  concert cinéma théâtre exposition visite atelier coiffure livre disque vélo fleurs bougie jouet vêtements chaussures bijoux danse jardin
  terrasse fleuve pont marché cuisine cave maison frais bio épicé sucré chaud froid petit grand double famille étudiants amis table verre
  bouteille assiette boulangerie librairie brasserie quartier cerise prune noix miel
  beurre oignon champignon citrouille asperge fraise tour rue place port île été hiver automne pluie soleil chanson orchestre guitare tambour`

const list = (text: string) => text.split(/\s+/).filter(Boolean)

/** Words of all languages in turn, so that each language has frequent and rare ones. */
export const vocabulary: string[] = interleave([list(english), list(german), list(french)])

/** Kinds of places: the first word of a business name. */
export const placeKinds = list(
  'Bar Café Restaurant Atelier Galerie Laden Boutique Bistro Brasserie Beiz Studio Kiosk Club Bäckerei Buchhandlung Salon',
)

/** Syllables of invented names: two or three make a name such as "Marolin". */
export const syllables = list(
  `ba ber bi bo da del do fa fel fin ga gro ha hel ka kel kor la lin lo ma mar mel mo na nel no pa per ra rin ro sa sel
  sta ta tin tol va ven vo wal wen za zel`,
)

function interleave(lists: string[][]): string[] {
  const longest = Math.max(...lists.map((words) => words.length))
  const mixed = Array.from({ length: longest }, (_, at) => lists.flatMap((words) => words.slice(at, at + 1))).flat()
  return [...new Set(mixed)]
}
