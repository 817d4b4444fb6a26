import type { Category } from '../../brand/categories.ts'

/** A deal as a merchant writes it down. */
export interface DemoDeal {
  name: string
  about?: string
  /** Free text, as typed at the counter; `chf` is the same price as a number, where there is one. */
  price?: string
  chf?: number
  /** Usual price in CHF, to be struck through; asked for long enough to satisfy the price ordinance. */
  usual?: number
  discount?: string
  /** The merchant's category when absent. */
  category?: Category
  tags?: string[]
  terms?: string
  /** Days as in opening hours, "Mo-Th" or "Fr,Sa"; every day when absent. */
  days?: string
  /** "17:00-20:00"; an end before the start is after midnight. */
  hours?: string
  /**
   * Moments seen from the first start: "+3 h" (on the next quarter of an hour), "-12 d" (that day at midnight),
   * "+2 d 18:00" (that day at the time). `until` without a time means the end of the day. Absent: at once, no end.
   */
  from?: string
  until?: string
  /** How many there are in all, and how many are gone. */
  limit?: number
  gone?: number
  /** Redeemed with a code at the counter. */
  code?: true
  state?: 'draft' | 'paused'
  /** Latitude and longitude when it is not at the merchant's; null: nowhere in particular. */
  at?: [number, number] | null
}

/** Stands by the river, away from the houses of their merchants. */
export const popUps = {
  kaserneBank: [47.5622, 7.5893],
  florastrasseBank: [47.5657, 7.5872],
  oberrheinSteps: [47.5592, 7.5932],
  elsaesserBank: [47.5697, 7.5829],
  albanBank: [47.5557, 7.6094],
} satisfies Record<string, [number, number]>

/** Each merchant writes in its own language: German, but for these. */
export const demoLanguages: Record<string, 'en' | 'fr'> = {
  'Lampion & Lärm': 'en',
  'Café Morgenblau': 'en',
  'Rillengrund Schallplatten': 'en',
  'Bar Bitterzunge': 'en',
  'Zur Grossen Injera': 'en',
  Kontrabasskeller: 'en',
  'Weinbar Schieferblau': 'fr',
  'Gelateria Zampanella': 'fr',
  'Buvette Kieselhocker': 'fr',
  'Museum der verlorenen Schirme': 'fr',
  'Krua Mondregen': 'fr',
  'Pizzeria Vento di Fiume': 'fr',
  'Blumenstand Mohnschein': 'fr',
  'Käserei Lochgenau': 'fr',
  'Spielwaren Murmelfalle': 'fr',
}

/** The deals of each merchant, under its name. */
// a line for what it is, a line for what it says, a line for when and how much: prettier would make them fifteen
// prettier-ignore
export const demoDeals: Record<string, DemoDeal[]> = {
  'Lampion & Lärm': [
    {
      name: 'Lantern hour: Spritz for CHF 9',
      about: 'The first two hours after opening belong to the Spritz, made with our own rhubarb bitter.',
      price: '9.00', chf: 9, usual: 13, tags: ['Apéro', 'Spritz'], days: 'Tu-Fr', hours: '18:00-20:00', until: '+34 d',
    },
    {
      name: 'Gig and a beer, CHF 15',
      about: 'Tonight’s band at nine and a Stange or a soda. Doors at half past eight, ears are given back at eleven.',
      price: '15', chf: 15, usual: 20, tags: ['live music', 'Konzert', 'beer'], hours: '20:30-23:00', until: '+12 d', limit: 120, gone: 71, code: true,
    },
    {
      name: 'Late record hour, no cover',
      about: 'From eleven the turntable is open. Bring one record and the doorman waves you through.',
      discount: 'free', chf: 0, tags: ['vinyl', 'late night', 'DJ'], days: 'Th-Sa', hours: '23:00-02:00', until: '+41 d',
    },
    {
      name: 'Two shandies for the river walk',
      about: 'Our pop-up tap stands at the bank below the barracks until dusk. Cups come back for two francs.',
      price: '10', chf: 10, tags: ['Panaché', 'pop-up', 'river'], category: 'drinks', hours: '15:00-21:00', until: '+16 d', at: popUps.kaserneBank,
    },
    {
      name: 'Last round at yesterday’s price',
      about: 'Gin and tonic for one more hour at what it cost last year.',
      price: '11.00', chf: 11, usual: 14, tags: ['gin', 'Longdrink'], category: 'drinks', until: '+2 h',
    },
    {
      name: 'Open-mic night: play a song, drink one',
      about: 'Three minutes on our small stage earn you a drink from the board. Guitar and piano are here.',
      discount: '1 drink free', tags: ['open mic', 'singer-songwriter'], days: 'We', hours: '19:30-22:30', until: '+48 d',
    },
    {
      name: 'Table for six with a punch bowl',
      about: 'Reserve the corner table before eight and the punch is on ice when you come.',
      price: '69.–', chf: 69, usual: 84, tags: ['Gruppen', 'punch'], terms: 'Six to eight people. By phone until 18:00 of the same day.', until: '+25 d', limit: 20, gone: 6, code: true,
    },
    {
      name: 'Opening weekend: cloakroom on us',
      about: 'Hang up your coat and dance. This one is over; the next opening is ours again in spring.',
      discount: 'CHF 3 off', tags: ['Garderobe'], from: '-16 d', until: '-9 d',
    },
  ],
  Kellerwelle: [
    {
      name: 'Vor Mitternacht zum halben Eintritt',
      about: 'Komm vor zwölf und zahl die Hälfte. Die Anlage ist dann warm, die Tanzfläche gehört noch dir.',
      price: '10', chf: 10, usual: 20, discount: '-50%', tags: ['techno', 'house', 'Club'], days: 'Fr,Sa', hours: '23:00-00:00', until: '+30 d', code: true,
    },
    {
      name: 'Ein Festivalband, zwei Eintritte',
      about: 'Zeig das Band und bring jemanden mit: Ein Eintritt gilt für beide.',
      discount: '2 für 1', tags: ['wristband', 'techno', 'late night'], days: 'Th-Sa', hours: '22:00-04:00', until: '+9 d', limit: 300, gone: 188, code: true,
    },
    {
      name: 'Wasser ist gratis, immer',
      about: 'Jede Bar füllt deine Flasche, die ganze Nacht, ohne ein Wort. Schaut aufeinander.',
      discount: 'gratis', chf: 0, tags: ['water', 'late night'], category: 'drinks',
    },
    {
      name: 'House-Tanzkurs für Anfänger am Donnerstag',
      about: 'Eine Stunde Schritte mit einer geduldigen Lehrerin, dann direkt auf die Tanzfläche. Der Eintritt ist dabei.',
      price: '18', chf: 18, usual: 25, tags: ['house', 'dance class', 'Tanzkurs'], days: 'Th', hours: '22:00-23:00', until: '+38 d', limit: 24, gone: 24, code: true,
    },
    {
      name: 'Frühstücks-Rave: Kaffee um fünf',
      about: 'Die letzte Stunde hat starken Kaffee und weiches Licht. Ein Filterkaffee ist im Eintritt dabei.',
      discount: 'inbegriffen', tags: ['Kaffee', 'techno', 'after hours'], days: 'Sa,Su', hours: '04:30-06:00', until: '+23 d',
    },
    {
      name: 'Vorverkauf für die Hafennacht',
      about: 'Vier DJs, ein Kran, eine Nacht. Die ersten zweihundert Tickets kosten so viel wie ein Kinoabend.',
      price: '17.50', chf: 17.5, usual: 28, tags: ['techno', 'open air', 'Hafen'], from: '+3 d 10:00', until: '+17 d', limit: 200, code: true,
    },
    {
      name: 'Studinacht, 10 Franken bis um eins',
      about: 'Jede Legi aus den drei Ländern zählt, mit guter Geschichte auch eine abgelaufene.',
      price: '10', chf: 10, usual: 20, tags: ['students', 'Studierende'], days: 'Th', hours: '22:00-01:00', until: '+52 d',
    },
  ],
  'Kino Pantherauge': [
    {
      name: 'Film und ein Glas Roter, CHF 22',
      about: 'Jeder Film, jeder Platz, dazu ein Glas Baselbieter Pinot zum Mitnehmen in den Saal.',
      price: '22', chf: 22, usual: 27, tags: ['Kino', 'Wein', 'date night'], days: 'Mo-Th', until: '+28 d', code: true,
    },
    {
      name: 'Montag ist Kinotag: CHF 12',
      about: 'Alle Plätze, alle Filme, den ganzen Montag. Das Popcorn behält seinen Preis, leider.',
      price: '12.–', chf: 12, usual: 19, tags: ['Kino', 'film'], days: 'Mo', until: '+60 d',
    },
    {
      name: 'Stummfilm mit Live-Synthesizer',
      about: 'Ein Klassiker von 1927 und ein Musiker, der ihn auch noch nie gesehen hat. Sechzig Plätze auf Bodenkissen.',
      price: '16', chf: 16, usual: 24, tags: ['silent film', 'live music', 'synth'], from: '+5 d 12:00', until: '+6 d 23:00', limit: 60, code: true,
    },
    {
      name: 'Matinee mit Gipfeli',
      about: 'Sonntag um zwei ist früh genug. Auf jeder Armlehne liegt ein Buttergipfeli.',
      price: '15.50', chf: 15.5, usual: 19, tags: ['matinee', 'Gipfeli'], days: 'Su', hours: '13:30-16:00', until: '+33 d',
    },
    {
      name: 'Die letzten Plätze des Abends, zwei für einen',
      about: 'Was zwanzig Minuten vor der Spätvorstellung leer ist, geht an Paare.',
      discount: '2 für 1', tags: ['late night', 'Kino'], hours: '20:45-21:30', until: '+5 h',
    },
    {
      name: 'Zehn Filme, eine Karte',
      about: 'Ein Jahr gültig, auch für Freunde. Günstiger als zu Hause mit Abo.',
      price: '140', chf: 140, usual: 190, discount: '-26%', tags: ['Abo', 'gift'], terms: 'Nicht für Sonderveranstaltungen. Kein Geld zurück für nicht gesehene Filme.', until: '+45 d', code: true, at: null,
    },
  ],
  'Brauerei Wellenbock': [
    {
      name: 'Braumeisterbrett: fünf kleine Biere',
      about: 'Von hell bis dunkel, in der Mitte eine Brezel. Die Notizen unserer Brauerin stehen auf der Rückseite.',
      price: '14', chf: 14, usual: 18, tags: ['Bier', 'tasting', 'Brezel'], until: '+40 d',
    },
    {
      name: 'Zapfstunde: jeder halbe Liter CHF 6',
      about: 'Wenn nebenan die Schicht endet, beginnt unsere.',
      price: '6', chf: 6, usual: 8.5, tags: ['Bier', 'happy hour', 'Feierabend'], days: 'Mo-Fr', hours: '16:00-18:00', until: '+55 d',
    },
    {
      name: 'Kellerführung mit drei Proben',
      about: 'Vierzig Minuten zwischen den Tanks, samstags auf Englisch. Geschlossene Schuhe, bitte.',
      price: '19.–', chf: 19, usual: 25, tags: ['tour', 'Bier', 'Führung'], category: 'culture', days: 'Sa', hours: '14:00-17:00', until: '+21 d', limit: 45, gone: 31, code: true,
    },
    {
      name: 'Harass für daheim, sechs Sorten',
      about: 'Sechs mal 33 cl, deine eigene Mischung aus dem Kühlregal.',
      price: '21', chf: 21, usual: 24, discount: '-12%', tags: ['takeaway', 'Bier'], category: 'shopping', until: '+18 d', code: true, state: 'draft',
    },
    {
      name: 'Alkoholfreies Weizen für alle, die fahren',
      about: 'Wer drei durstige Freunde mitbringt und heimfährt, trinkt bei uns umsonst.',
      discount: 'gratis', chf: 0, tags: ['alkoholfrei', 'alcohol-free'],
    },
    {
      name: 'Brunch zwischen den Tanks',
      about: 'Eier, Brot mit unserem Malz, geräucherte Forelle und Kaffee, bis du genug hast.',
      price: '29.50', chf: 29.5, usual: 36, tags: ['Brunch', 'Kaffee'], category: 'food', days: 'Su', hours: '12:00-15:00', until: '+26 d', limit: 80, gone: 22, code: true,
    },
    {
      name: 'Grünhopfen-Ale, das erste Fass',
      about: 'Am Dienstag gepflückt, am selben Tag im Kessel. Wenn das Fass leer ist, war es gut.',
      price: '7', chf: 7, tags: ['IPA', 'Bier', 'fresh hop'], until: '+3 h', limit: 100, gone: 84, code: true,
    },
    {
      name: 'Quizabend: Der Siegertisch trinkt gratis',
      about: 'Dreissig Fragen, drei davon über Bier. Teams bis zu sechs, Beginn um acht.',
      discount: 'Sieger trinken gratis', tags: ['quiz', 'Bier'], from: '+1 d', days: 'Tu', hours: '19:30-22:30', until: '+58 d',
    },
  ],
  'Café Morgenblau': [
    {
      name: 'Wristband breakfast',
      about: 'Two eggs, sourdough, a filter coffee and a glass of tap water with sympathy. Until two, because nights are long.',
      price: '16', chf: 16, usual: 21, tags: ['Zmorge', 'breakfast', 'wristband', 'Kaffee'], category: 'food', hours: '07:00-14:00', until: '+10 d', code: true,
    },
    {
      name: 'Second coffee for one franc',
      about: 'Same cup, same table, same good mood.',
      price: '1.–', chf: 1, usual: 4.8, tags: ['Kaffee', 'coffee'], days: 'Mo-Fr', hours: '07:00-10:00', until: '+50 d',
    },
    {
      name: 'Oat milk costs nothing extra',
      about: 'Nor does soy. It should not need a sign, but here it is.',
      discount: 'free', chf: 0, tags: ['vegan', 'Kaffee', 'Hafermilch'],
    },
    {
      name: 'Cinnamon bun and cappuccino, CHF 8.50',
      about: 'Baked at six, gone by eleven on most days.',
      price: '8.50', chf: 8.5, usual: 10.5, tags: ['Znüni', 'Kaffee', 'cake'], hours: '08:00-11:30', until: '+22 d',
    },
    {
      name: 'Cold brew for the queue',
      about: 'Small bottles from our ice box on the bank, deposit one franc.',
      price: '5', chf: 5, usual: 6.5, tags: ['cold brew', 'takeaway', 'pop-up'], until: '+90 min', at: popUps.florastrasseBank,
    },
    {
      name: 'Cupping class on Saturday mornings',
      about: 'Six coffees, six spoons, one very awake teacher. Starts at nine and ends in friendship.',
      price: '25', chf: 25, tags: ['Kaffee', 'workshop', 'tasting'], days: 'Sa', hours: '09:00-10:30', from: '+4 d', until: '+40 d', limit: 32, code: true,
    },
  ],
  'Backstube Krumenlicht': [
    {
      name: 'Brot von gestern zum halben Preis',
      about: 'Besser für Toast, besser fürs Fondue, besser als die Tonne.',
      discount: '-50%', tags: ['bread', 'Brot', 'zero waste'], hours: '06:00-09:00', until: '+60 d',
    },
    {
      name: 'Sechs Gipfeli für die Nachtschicht',
      about: 'Warm vom Blech für alle, die noch oder schon wach sind.',
      price: '9', chf: 9, usual: 12, tags: ['Gipfeli', 'Zmorge', 'late night'], days: 'Mo-Fr', hours: '06:00-07:30', until: '+31 d',
    },
    {
      name: 'Feierabendsack: was übrig ist, CHF 5',
      about: 'Drei bis fünf Stück, süss und salzig, wie es im Regal liegt. Keine Auswahl, keine Reue.',
      price: '5', chf: 5, tags: ['zero waste', 'snack'], days: 'Mo-Fr', hours: '17:30-18:30', until: '+44 d', limit: 400, gone: 263, code: true,
    },
    {
      name: 'Rhabarberwähe, das letzte Blech',
      about: 'Sauer unter süss, zwölf Stücke, diese Woche kein zweites Blech.',
      price: '4.50', chf: 4.5, usual: 6, tags: ['Wähe', 'cake'], until: '+4 h', limit: 12, gone: 5, code: true,
    },
    {
      name: 'Sauerteig zur Adoption',
      about: 'Ein Löffel von unserem in dein Glas, dazu eine Seite Ratschläge. Er hört auf den Namen Bruno.',
      discount: 'gratis', chf: 0, tags: ['bread', 'Sauerteig', 'vegan'], until: '+27 d',
    },
  ],
  'Weinbar Schieferblau': [
    {
      name: 'Trois verres de trois pays',
      about: 'Baselbiet, Alsace, pays de Bade : un doigt de chacun, servis côte à côte. À toi de dire qui gagne.',
      price: '18', chf: 18, usual: 24, tags: ['Wein', 'Apéro', 'tasting'], hours: '17:00-19:30', until: '+36 d', code: true,
    },
    {
      name: 'Droit de bouchon offert le mardi',
      about: 'Apporte la bouteille que tu gardais. Nous apportons les verres sans demander ce qu’elle a coûté.',
      discount: 'CHF 20 de moins', tags: ['Wein', 'BYO'], days: 'Tu', until: '+49 d',
    },
    {
      name: 'Assiette de fromages pour deux au deuxième verre',
      about: 'Cinq sortes du fromager d’Allschwil, du pain et de la moutarde de poire.',
      price: '14.–', chf: 14, usual: 22, tags: ['cheese', 'Käse', 'Wein'], category: 'food', until: '+20 d',
    },
    {
      name: 'Vin nature au bord du Rhin, le verre CHF 7',
      about: 'Nos glacières t’attendent sur la rive de St. Johann quand il ne pleut pas.',
      price: '7', chf: 7, usual: 9, tags: ['Wein', 'natural wine', 'pop-up', 'river'], hours: '17:00-22:00', until: '+14 d', at: popUps.elsaesserBank,
    },
    {
      name: 'Les bouteilles ouvertes de la semaine',
      about: 'Ce qui est ouvert le samedi soir doit être vide le samedi soir.',
      discount: '-40%', tags: ['Wein', 'late night'], days: 'Sa', hours: '22:00-00:00', until: '+29 d',
    },
  ],
  'Rillengrund Schallplatten': [
    {
      name: 'Three used records, pay two',
      about: 'From all boxes with a blue dot. The cheapest is the free one, that much is fair.',
      discount: '3 for 2', tags: ['vinyl', 'records', 'second hand'], until: '+24 d',
    },
    {
      name: 'Records of the festival bands, -15%',
      about: 'Everybody who plays this weekend stands in the front crate.',
      discount: '-15%', tags: ['vinyl', 'live music', 'wristband'], until: '+11 d', code: true,
    },
    {
      name: 'Record wash, three for CHF 10',
      about: 'A warm bath for your grandmother’s jazz. You hear the rain outside again.',
      price: '10', chf: 10, usual: 15, tags: ['vinyl', 'service'], until: '+62 d',
    },
    {
      name: 'In-store set with espresso',
      about: 'A local selector plays for one hour between the shelves, the machine is on.',
      discount: 'free', chf: 0, tags: ['vinyl', 'DJ', 'Kaffee'], category: 'culture', days: 'Sa', hours: '15:00-16:00', from: '+2 d', until: '+30 d',
    },
    {
      name: 'Techno twelve-inches by the kilo',
      about: 'Seven hundred maxis from a cleared-out cellar, CHF 12 a kilo. That is about six tracks to regret nothing.',
      price: '12 / kg', chf: 12, tags: ['vinyl', 'techno'], until: '+8 d',
    },
  ],
  'Sauna Dampfnudel': [
    {
      name: 'Früher Dampf, CHF 19 bis um fünf',
      about: 'Sauna, Tauchbecken und ein Tuch, bevor die anderen von der Arbeit kommen.',
      price: '19', chf: 19, usual: 28, tags: ['Sauna', 'Dampfbad'], days: 'Mo-Th', hours: '14:00-17:00', until: '+46 d', code: true,
    },
    {
      name: 'Dampfnudel mit Vanillesauce nach dem letzten Aufguss',
      about: 'Ist bei jedem Abendeintritt dabei. Iss langsam.',
      discount: 'gratis', chf: 0, tags: ['Sauna', 'dessert'], hours: '19:00-22:00', until: '+19 d',
    },
    {
      name: 'Tanzfüsse: Fussbad und Massage, 20 Minuten',
      about: 'Für alle, die das Band von gestern noch tragen.',
      price: '24', chf: 24, usual: 35, tags: ['massage', 'wristband'], hours: '10:00-16:00', until: '+9 d', limit: 60, gone: 38, code: true,
    },
    {
      name: 'Zehnmal schwitzen, achtmal zahlen',
      about: 'Auf der Karte steht kein Name und kein Datum.',
      discount: '-20%', price: '224', chf: 224, usual: 280, tags: ['Abo', 'Sauna'], until: '+70 d',
    },
    {
      name: 'Vollmondsauna bis um eins',
      about: 'Einmal im Monat bleibt der Ofen an. Vierzig Leute, ein Mond, keine Handys.',
      price: '32', chf: 32, tags: ['Sauna', 'late night'], from: '+9 d 08:00', until: '+10 d 02:00', limit: 40, code: true,
    },
  ],
  'Gelateria Zampanella': [
    {
      name: 'La troisième boule offerte',
      about: 'Commande deux boules et montre la troisième du doigt.',
      discount: '3e boule offerte', tags: ['Glace', 'Gelato'], days: 'Mo-Th', hours: '14:00-18:00', until: '+32 d',
    },
    {
      name: 'Sorbet de minuit, CHF 3',
      about: 'Citron et basilic pour le chemin du retour. Végane, froid, bien réveillé.',
      price: '3', chf: 3, usual: 4.5, tags: ['Glace', 'vegan', 'Sorbet', 'late night'], days: 'Fr-Su', hours: '22:00-23:30', until: '+25 d',
    },
    {
      name: 'Bac familial, un litre',
      about: 'Quatre parfums, emballés pour quarante minutes sans congélateur.',
      price: '22.–', chf: 22, usual: 27, tags: ['Glace', 'Familie', 'takeaway'], until: '+54 d',
    },
    {
      name: 'Affogato à deux au comptoir',
      about: 'Du chaud sur du froid. Avec une cuillère, ou deux.',
      price: '9.50', chf: 9.5, usual: 13, tags: ['Kaffee', 'Glace'], until: '+6 h',
    },
    {
      name: 'Chariot à glaces sur la rive de St. Alban',
      about: 'Stracciatella, mangue et noisette là où les nageurs entrent dans l’eau, le week-end seulement.',
      price: '4', chf: 4, tags: ['Glace', 'pop-up', 'river'], days: 'Sa,Su', hours: '12:00-19:00', until: '+28 d', at: popUps.albanBank,
    },
  ],
  'Nebelschale Ramen': [
    {
      name: 'Späte Schale Shoyu, CHF 15',
      about: 'Die letzten neunzig Minuten der Küche, gleiche Brühe, kürzere Schlange.',
      price: '15', chf: 15, usual: 21, tags: ['Ramen', 'Japanese', 'late night'], hours: '21:00-22:30', until: '+37 d', code: true,
    },
    {
      name: 'Mittagsmenü mit Gyoza',
      about: 'Eine Schale, vier Teigtaschen und Tee, in neun Minuten auf dem Tisch.',
      price: '22.50', chf: 22.5, usual: 27, tags: ['Zmittag', 'lunch', 'Ramen'], days: 'Mo-Fr', hours: '11:30-14:00', until: '+51 d',
    },
    {
      name: 'Veganes Miso mit einer Zutat gratis',
      about: 'Mais, eingelegter Ingwer, Tofu oder noch eine Handvoll Nudeln: Sag, was du willst.',
      discount: 'Zutat gratis', tags: ['vegan', 'Ramen', 'Miso'], until: '+17 d',
    },
    {
      name: 'Thekenplatz für eine Person, mit Dessert',
      about: 'Wer allein isst, hat die beste Aussicht und bekommt einen Pudding aus schwarzem Sesam.',
      discount: 'Dessert gratis', tags: ['solo', 'dessert'], hours: '17:30-19:00', until: '+23 d',
    },
  ],
  'Fonduestube Zum Fadenzug': [
    {
      name: 'Moitié-moitié für zwei, CHF 46',
      about: 'Gruyère und Vacherin, Brot für eine Armee, am Schluss ein Fingerhut Kirsch.',
      price: '46', chf: 46, usual: 58, tags: ['Fondue', 'Käse', 'Znacht'], days: 'Su-We', until: '+39 d', code: true,
    },
    {
      name: 'Fondue am Mittag, ein Glas Weisser dazu',
      about: 'Ein kleines Caquelon für eine Person. Vor drei sieht dich niemand.',
      price: '28', chf: 28, usual: 35, tags: ['Fondue', 'Zmittag', 'Wein'], days: 'Mo-Fr', hours: '11:30-14:00', until: '+28 d',
    },
    {
      name: 'Grosser Tisch, eine Person isst gratis',
      about: 'Ab acht Personen. Ihr dürft losen, die Streichhölzer bringen wir.',
      discount: '8 für 7', tags: ['Fondue', 'Gruppen'], terms: 'Eine Sorte Fondue pro Tisch, Reservation per Telefon. Nicht am Samstag.', days: 'Su-Fr', until: '+66 d',
    },
    {
      name: 'Sommerfondue unter den Sternen',
      about: 'Kaltes Bier statt Tee, offene Fenster. Die Saison ist vorbei, die Caquelons ruhen sich aus.',
      price: '24', chf: 24, tags: ['Fondue', 'open air'], from: '-29 d', until: '-3 d',
    },
  ],
  'Bar Bitterzunge': [
    {
      name: 'Two Negroni for one till eight',
      about: 'Equal parts, one large cube, an orange from the market. The second glass is on the house.',
      price: '16', chf: 16, discount: '2 for 1', tags: ['Negroni', 'Apéro', 'cocktail'], days: 'Mo-Th', hours: '17:00-20:00', until: '+30 d', code: true,
    },
    {
      name: 'Bartender’s choice, CHF 12 after midnight',
      about: 'Name a mood and a colour. No menu, no refunds, no bad ones so far.',
      price: '12', chf: 12, usual: 18, tags: ['cocktail', 'late night'], days: 'Sa,Su', hours: '00:00-02:30', until: '+42 d',
    },
    {
      name: 'Alcohol-free Apéro with olives',
      about: 'Gentian, grapefruit, soda. Bitter like the real one, and you may cycle.',
      price: '9', chf: 9, usual: 12, tags: ['alkoholfrei', 'Apéro', 'vegan'], hours: '17:00-19:00', until: '+35 d',
    },
    {
      name: 'Amaro flight: five small bitters',
      about: 'From alpine herbs to artichoke, with a biscuit between.',
      price: '21', chf: 21, usual: 27, tags: ['Amaro', 'tasting'], until: '+26 d',
    },
    {
      name: 'First round for the sound crew',
      about: 'Show a crew pass of any stage and the small beer is paid.',
      discount: 'free', chf: 0, tags: ['crew', 'Bier'], until: '+9 d', limit: 150, gone: 41, code: true,
    },
    {
      name: 'Espresso Martini before the show',
      about: 'Awake in three sips.',
      price: '13.50', chf: 13.5, usual: 18, tags: ['cocktail', 'Kaffee'], until: '+150 min',
    },
  ],
  'Buvette Kieselhocker': [
    {
      name: 'Le thé des nageurs, CHF 2',
      about: 'Arrive tout mouillé, il est chaud, avec du miel. Ton sac de bain sert de billet.',
      price: '2', chf: 2, usual: 4.5, tags: ['Rheinschwimmen', 'tea', 'river'], until: '+18 d',
    },
    {
      name: 'La carafe du coucher de soleil, pour quatre',
      about: 'Un litre et demi de vin blanc, d’eau gazeuse et de menthe, quatre verres, un banc.',
      price: '34', chf: 34, usual: 42, tags: ['Apéro', 'sunset', 'river'], hours: '18:00-21:00', until: '+24 d', code: true,
    },
    {
      name: 'Une saucisse et une Stange',
      about: 'Un cervelas du gril, du pain, de la moutarde et trois décis de bière blonde.',
      price: '12.50', chf: 12.5, usual: 15, tags: ['Grill', 'Bier', 'Cervelat'], category: 'food', days: 'Fr-Su', hours: '12:00-22:00', until: '+33 d',
    },
    {
      name: 'Une heure de chaise longue avec café glacé',
      about: 'Le premier rang est à toi pendant soixante minutes. La vue sur le bac aussi.',
      price: '8', chf: 8, tags: ['Kaffee', 'river'], days: 'Mo-Fr', hours: '14:00-16:00', from: '-22 d', until: '-4 d',
    },
    {
      name: 'Offre de pluie : tout ce qui est chaud à moitié prix',
      about: 'Quand les gouttes tombent sur la bâche, soupe, thé et cidre chaud coûtent la moitié. La pluie, c’est nous qui en décidons.',
      discount: '-50%', tags: ['rain', 'soup'], until: '+57 d',
    },
    {
      name: 'Eau de coco sur glace',
      about: 'La livraison est venue deux fois. Aide-nous.',
      price: '4', chf: 4, usual: 6, tags: ['vegan', 'alkoholfrei'], until: '+3 h', limit: 48, gone: 48, code: true,
    },
  ],
  'Zwirn und Zeit': [
    {
      name: 'Eine Stange, alles CHF 25',
      about: 'Jeansjacken, Seidenhemden, ab und zu eine Pelzmütze. Seit Mittag neu gefüllt.',
      price: '25', chf: 25, tags: ['vintage', 'second hand', 'Mode'], until: '+75 min',
    },
    {
      name: 'Saum zum Drauf-Warten, CHF 15',
      about: 'Hosen in zwanzig Minuten, mit Kaffee und alten Heften.',
      price: '15.–', chf: 15, usual: 22, tags: ['tailor', 'Änderungen'], days: 'Tu-Th', from: '-25 d', until: '-8 d',
    },
    {
      name: 'Festivalshirts vergangener Jahrzehnte, -30%',
      about: 'Auf besseren Partys getragen als unseren. Grössen S bis XXL.',
      discount: '-30%', tags: ['vintage', 'shirts', 'wristband'], until: '+12 d', code: true,
    },
    {
      name: 'Tauschstunde: drei bringen, zwei nehmen',
      about: 'Saubere Stücke ohne Löcher. Der Rest geht ans Frauenhaus.',
      discount: 'gratis', chf: 0, tags: ['vintage', 'swap', 'zero waste'], days: 'Sa', hours: '10:00-12:00', until: '+40 d',
    },
  ],
  'Tanzschuppen Gleis Minus Eins': [
    {
      name: 'Swing-Mittwoch, die erste Lektion gratis',
      about: 'Lindy Hop von null an um sieben, freies Tanzen ab acht. Du brauchst niemanden mitzubringen, Ledersohlen sind willkommen.',
      price: '12', chf: 12, tags: ['swing', 'Tanzkurs', 'dance'], days: 'We', hours: '19:00-23:30', until: '+61 d',
    },
    {
      name: 'Vier Freunde, drei Eintritte',
      about: 'Kommt zusammen, und die vierte Person ist unser Gast.',
      discount: '4 für 3', tags: ['Club', 'Gruppen'], days: 'Fr,Sa', hours: '21:00-23:30', until: '+34 d', code: true,
    },
    {
      name: 'Drum and Bass bis um vier, CHF 15',
      about: 'Ein Genre, eine Nacht, die grossen Boxen. Mit Festivalband günstiger am Seiteneingang.',
      price: '15', chf: 15, usual: 22, tags: ['drum and bass', 'late night', 'wristband'], days: 'Sa', hours: '22:00-04:00', until: '+13 d', limit: 250, gone: 97, code: true,
    },
    {
      name: 'Seniorendisco am Sonntagnachmittag',
      about: 'Ab sechzig, und wer jemanden in diesem Alter mitbringt. Kuchen um vier.',
      price: '8', chf: 8, tags: ['disco', 'Tanznachmittag', 'cake'], from: '+6 d 09:00', until: '+48 d', days: 'Su', hours: '14:00-18:00',
    },
  ],
  'Glutnest Street Food': [
    {
      name: 'Fladenbrot aus der Glut, CHF 9.50',
      about: 'Mit gebratener Peperoni, Joghurt und einer Handvoll Kräuter. Am Ufer, direkt von der Kohle.',
      price: '9.50', chf: 9.5, usual: 13, tags: ['street food', 'vegetarian', 'Grill'], until: '+21 d', code: true,
    },
    {
      name: 'Drei Spiesse mit Getränk',
      about: 'Poulet, Halloumi, Aubergine. Limonade, Bier oder Schorle.',
      price: '18', chf: 18, usual: 23, tags: ['Grill', 'street food'], hours: '17:00-22:00', until: '+21 d',
    },
    {
      name: 'Scharfe Wette: Wer aufisst, isst gratis',
      about: 'Sechs Flügeli, fünf Minuten, eine Unterschrift an der Wand. Milch steht bereit.',
      discount: 'gratis, wenn du aufisst', tags: ['spicy', 'challenge'], terms: 'Ab 16 Jahren. Ein Versuch pro Abend, auf eigene Gefahr.', days: 'Fr,Sa', hours: '19:00-23:00', until: '+16 d',
    },
    {
      name: 'Nachtwrap bis um eins',
      about: 'Alles, was noch auf dem Grill liegt, eingerollt und überreicht.',
      price: '11', chf: 11, usual: 14, tags: ['late night', 'wrap'], days: 'Fr-Su', hours: '22:30-01:00', until: '+21 d',
    },
    {
      name: 'Veganes Brett für zwei',
      about: 'Sechs Kleinigkeiten, zwei Brote, viel Zitrone. Genug für zwei, ein Gerücht für drei.',
      price: '27', chf: 27, usual: 34, tags: ['vegan', 'sharing'], until: '+3 h',
    },
    {
      name: 'Maiskolben bei der Treppe',
      about: 'Unser Karren steht an der Treppe unter der Rheingasse: Chilibutter oder Limette.',
      price: '6', chf: 6, tags: ['street food', 'pop-up', 'vegetarian', 'river'], hours: '13:00-22:00', until: '+16 d', at: popUps.oberrheinSteps,
    },
  ],
  'Zum Halben Hecht': [
    {
      name: 'Stammtischbier, 3 dl für CHF 4',
      about: 'Nur am runden Tisch, nur wenn du hallo sagst.',
      price: '4', chf: 4, usual: 5.2, tags: ['Bier', 'Beiz', 'Feierabend'], days: 'Mo-Th', hours: '16:00-18:30', until: '+45 d',
    },
    {
      name: 'Nachtsuppe, CHF 9',
      about: 'Gerste, Mehlsuppe oder was die Mutter des Kochs am Telefon empfohlen hat. Brot ist dabei.',
      price: '9', chf: 9, usual: 12, tags: ['soup', 'Mehlsuppe', 'late night'], category: 'food', days: 'Fr,Sa', hours: '22:00-01:30', until: '+38 d',
    },
    {
      name: 'Jassabend: Karten, Brezeln, die erste Runde',
      about: 'Wer allein kommt, bekommt jemanden zum Jassen. Französische Karten, Basler Manieren.',
      discount: 'erste Runde gratis', tags: ['Jass', 'cards'], days: 'Tu', hours: '19:00-23:00', until: '+53 d',
    },
    {
      name: 'Heisse Marroni mit Suuser',
      about: 'Eine Papiertüte und ein Deziliter Suuser, solange das Fass reicht.',
      price: '10', chf: 10, usual: 13, tags: ['Marroni', 'Suuser'], until: '+7 h',
    },
  ],
  'Buchhandlung Silbentrenner': [
    {
      name: 'Buch und Buchzeichen: 10 % auf alles',
      about: 'Taschenbücher, Bilderbücher, Gedichte. Nicht auf bestellte Lehrmittel.',
      discount: '10 % auf alles', tags: ['Bücher', 'books'], until: '+14 d', code: true,
    },
    {
      name: 'Blind Date mit einem Roman, CHF 12',
      about: 'In Packpapier mit drei Worten darauf. Kennst du ihn schon, bring ihn zurück; das kam noch nie vor.',
      price: '12', chf: 12, tags: ['books', 'gift'], until: '+43 d',
    },
    {
      name: 'Lesung mit heissem Apfelsaft',
      about: 'Eine junge Autorin aus dem Quartier liest vierzig Minuten zwischen den Regalen. Dreissig Stühle.',
      price: '5', chf: 5, usual: 10, tags: ['Lesung', 'reading'], category: 'culture', from: '+7 d 10:00', until: '+8 d 21:00', limit: 30,
    },
  ],
  'Galerie Kehrwasser': [
    {
      name: 'Klanginstallation, Führung um sechs',
      about: 'Zwölf Lautsprecher, ein Fluss, unter Wasser aufgenommen. Die Künstlerin führt dich hindurch.',
      discount: 'gratis', chf: 0, tags: ['Kunst', 'sound art', 'guided tour'], days: 'Th,Fr', hours: '18:00-19:00', until: '+22 d',
    },
    {
      name: 'Kleine Drucke für kleine Portemonnaies, CHF 40',
      about: 'Signiert und nummeriert, A5, acht Kunstschaffende. Das Geld geht ganz an sie.',
      price: '40', chf: 40, tags: ['Kunst', 'print', 'gift'], category: 'shopping', until: '+31 d', limit: 64, gone: 19, code: true,
    },
  ],
  'Museum der verlorenen Schirme': [
    {
      name: 'Jour du parapluie : gratuit quand il pleut',
      about: 'S’il pleut sur la Malzgasse, l’entrée ne coûte rien. Notre portier tend la main par la fenêtre.',
      discount: 'gratuit', chf: 0, usual: 8, tags: ['Museum', 'rain', 'Familie'], until: '+65 d',
    },
    {
      name: 'Deux entrées pour une contre une histoire perdue',
      about: 'Raconte à la caisse ce que tu as oublié un jour dans un tram. Les bonnes histoires sont notées.',
      discount: '2 pour 1', tags: ['Museum', 'Kultur'], days: 'We-Fr', until: '+37 d',
    },
    {
      name: 'Les enfants peignent une ombrelle',
      about: 'Du papier, du bambou, des couleurs qui partent au lavage. Les parents ont le droit de s’asseoir.',
      price: '7.–', chf: 7, usual: 10, tags: ['Familie', 'kids', 'workshop'], days: 'We,Sa', hours: '14:00-16:00', until: '+29 d', limit: 40, gone: 11, code: true,
    },
  ],
  'Yogaraum Kranich und Kiesel': [
    {
      name: 'Morgenstunde mit dem Rhein, CHF 15',
      about: 'Sechzig langsame Minuten bei offenen Fenstern. Du bist bei der Arbeit, bevor dich jemand vermisst.',
      price: '15', chf: 15, usual: 24, tags: ['Yoga', 'morning'], days: 'Mo-Fr', hours: '06:45-08:00', until: '+41 d', code: true,
    },
    {
      name: 'Schnupperwoche für Neue',
      about: 'So viele Stunden, wie du magst, in sieben Tagen. Danach reden wir.',
      price: '30', chf: 30, tags: ['Yoga', 'beginners'], until: '+56 d',
    },
    {
      name: 'Liegekonzert mit Gongs',
      about: 'Bring ein Kissen mit. Schnarchen ist erlaubt und kommt vor.',
      price: '20', chf: 20, usual: 28, tags: ['gong', 'relax', 'live music'], from: '-20 d', until: '-1 d',
    },
  ],
  'Coiffeur Lockenwicht': [
    {
      name: 'Fransen schneiden ohne Termin',
      about: 'Zehn Minuten, eine Schere, ein Blick in den Spiegel gratis dazu.',
      price: '12', chf: 12, tags: ['Coiffeur', 'hair'], days: 'Tu-Fr', hours: '09:00-11:00', until: '+44 d',
    },
    {
      name: 'Bühnenzöpfe und Glitzer, CHF 20',
      about: 'Hält bis zur letzten Zugabe. Der Glitzer ist aus Zellulose und geht mit Seife weg.',
      price: '20', chf: 20, usual: 28, tags: ['hair', 'glitter', 'wristband'], until: '+9 d', limit: 80, gone: 52, code: true,
    },
  ],
  'Feuer & Zwiebel Kebab': [
    {
      name: 'Kebab und Ayran nach Mitternacht, CHF 12',
      about: 'Der ganze, in unserem eigenen Brot, mit allem.',
      price: '12', chf: 12, usual: 15, tags: ['Kebab', 'late night', 'Döner'], days: 'Sa,Su', hours: '00:00-05:00', until: '+50 d',
    },
    {
      name: 'Mittagsbox mit Reis, CHF 13.50',
      about: 'Poulet oder Falafel, Salat, zwei Saucen.',
      price: '13.50', chf: 13.5, usual: 16, tags: ['Zmittag', 'lunch', 'takeaway'], days: 'Mo-Fr', hours: '11:00-14:00', until: '+36 d',
    },
    {
      name: 'Tee aufs Haus',
      about: 'Setz dich mit einer Mahlzeit hin, und das kleine Glas kommt von selbst.',
      discount: 'gratis', chf: 0, tags: ['tea', 'Tee'],
    },
  ],
  'Krua Mondregen': [
    {
      name: 'Curry vert à emporter, CHF 14',
      about: 'Le riz dessous, le curry dessus, du basilic par-dessus. Dis-nous combien de piments.',
      price: '14', chf: 14, usual: 18, tags: ['Thai', 'takeaway', 'curry'], days: 'Tu-Fr', hours: '11:30-13:45', until: '+27 d',
    },
    {
      name: 'Riz gluant à la mangue avec chaque repas pour deux',
      about: 'Tant qu’il y a des mangues. Deux cuillères.',
      discount: 'dessert offert', tags: ['Thai', 'vegan', 'dessert'], hours: '18:00-22:00', until: '+19 d', code: true,
    },
    {
      name: 'La soupe de nouilles de la tante, le samedi',
      about: 'Douze heures dans la marmite. Quand il n’y en a plus, on éteint la lumière.',
      price: '17', chf: 17, usual: 20, tags: ['Thai', 'soup'], state: 'paused', until: '+30 d',
    },
  ],
  'Kiosk Gierseil': [
    {
      name: 'Fähre und ein Eis, CHF 4.50',
      about: 'Ein Billett für die Überfahrt und ein Stängel-Glace für die drei Minuten, die sie dauert.',
      price: '4.50', chf: 4.5, usual: 6, tags: ['Fähre', 'Glace', 'river'], until: '+23 d',
    },
    {
      name: 'Kaffee mit Blick auf die Fähre, CHF 3',
      about: 'Die Bank ist gratis, die Kormorane auch.',
      price: '3', chf: 3, usual: 4.2, tags: ['Kaffee', 'river'], hours: '09:00-11:00', until: '+40 d',
    },
    {
      name: 'Schwimmsack für einen Tag',
      about: 'Hält deine Kleider trocken bis zur letzten Brücke. Depot CHF 20, zurück bis um sieben.',
      price: '5', chf: 5, tags: ['Rheinschwimmen', 'rental'], category: 'other', until: '+5 h',
    },
  ],
  'Kiosk Nimmermüd': [
    {
      name: 'Handy laden in 20 Minuten, gratis',
      about: 'Kauf irgendetwas, lass das Handy im Fach, komm bei 80 Prozent wieder.',
      discount: 'gratis', chf: 0, tags: ['charging', 'late night'],
    },
    {
      name: 'Nachtsuppe im Becher, CHF 5',
      about: 'Tomate, Kürbis oder Bouillon, aus der grossen Thermoskanne.',
      price: '5', chf: 5, usual: 6.5, tags: ['soup', 'vegan', 'late night'], category: 'food', hours: '23:00-05:00', until: '+60 d',
    },
    {
      name: 'Regenponcho und Ohrstöpsel, CHF 7',
      about: 'Die zwei Dinge, die alle vergessen, in einem Beutel.',
      price: '7', chf: 7, usual: 9.5, tags: ['rain', 'festival', 'Gehörschutz'], until: '+11 d',
    },
  ],
  'Pizzeria Vento di Fiume': [
    {
      name: 'Margherita à la fenêtre, CHF 10',
      about: 'Pliée en quatre, mangée debout. Prête le temps que le tram arrive.',
      price: '10', chf: 10, usual: 15, tags: ['Pizza', 'takeaway', 'vegetarian'], days: 'Mo-Th', hours: '18:00-20:00', until: '+48 d',
    },
    {
      name: 'Table de famille : la pizza des enfants offerte',
      about: 'Une petite pizza pour chaque grande, jusqu’à sept heures.',
      discount: 'enfants gratuits', tags: ['Pizza', 'Familie', 'kids'], days: 'Sa,Su', hours: '12:00-19:00', until: '+34 d',
    },
    {
      name: 'Marinara, végane depuis 1734',
      about: 'Tomate, ail, origan, rien d’autre. Aujourd’hui avec une petite bière.',
      price: '16', chf: 16, usual: 20, tags: ['Pizza', 'vegan', 'Bier'], until: '+8 h',
    },
  ],
  'Zur Grossen Injera': [
    {
      name: 'Plate for two, all vegan, CHF 38',
      about: 'Six stews on one large injera. Hands are washed at the table.',
      price: '38', chf: 38, usual: 46, tags: ['vegan', 'Eritrean', 'sharing'], days: 'Tu-Th', until: '+33 d', code: true,
    },
    {
      name: 'Coffee ceremony on Sundays',
      about: 'Green beans, a pan, incense, three rounds. Stay for all of them.',
      price: '6', chf: 6, tags: ['Kaffee', 'ceremony'], category: 'drinks', days: 'Su', hours: '15:00-17:00', until: '+47 d',
    },
  ],
  Kontrabasskeller: [
    {
      name: 'Second set, half price',
      about: 'Come at ten, sit where there is room, pay half. The second set is the better one anyway.',
      price: '12.50', chf: 12.5, usual: 25, discount: '-50%', tags: ['jazz', 'Konzert', 'live music'], days: 'We-Sa', hours: '22:00-23:30', until: '+39 d', code: true,
    },
    {
      name: 'Jam session, musicians drink free',
      about: 'Bring an instrument and play at least one tune. The bass stays here.',
      discount: 'drinks free for players', tags: ['jazz', 'jam', 'live music'], days: 'We', hours: '20:00-00:30', until: '+59 d',
    },
    {
      name: 'Trio night: front row and a whisky',
      about: 'So near that you can turn the pages.',
      price: '39', chf: 39, usual: 48, tags: ['jazz', 'whisky'], state: 'paused', limit: 8, gone: 3, code: true, until: '+22 d',
    },
  ],
  'Velowerkstatt Kettenhund': [
    {
      name: 'Festivalcheck für dein Velo, CHF 25',
      about: 'Bremsen, Licht, Kette und Luft in einer halben Stunde. Du fährst ja nachts nach Hause.',
      price: '25', chf: 25, usual: 40, tags: ['Velo', 'bike', 'service'], until: '+18 d', limit: 50, gone: 17, code: true,
    },
    {
      name: 'Leihvelo, solange deins am Haken hängt',
      about: 'Alt, schwer, rot. Es hat noch niemanden im Stich gelassen.',
      discount: 'gratis', chf: 0, tags: ['Velo', 'rental'], state: 'paused',
    },
  ],
  'Waschsalon Schaumkrone': [
    {
      name: 'Waschen und ein Bier, CHF 11',
      about: 'Sechs Kilo bei jeder Temperatur, eine Stange bei vier Grad.',
      price: '11', chf: 11, usual: 13.5, tags: ['laundry', 'Bier', 'Waschsalon'], until: '+52 d',
    },
    {
      name: 'Flipperturnier: Wer gewinnt, wäscht einen Monat gratis',
      about: 'Ein Kasten, drei Kugeln, Donnerstag um sieben. Schlammige Festivalkleider haben Vorrang.',
      price: '3', chf: 3, tags: ['pinball', 'Flipper'], days: 'Th', hours: '19:00-22:00', until: '+38 d',
    },
    {
      name: 'Waschpulver nachfüllen, nach Löffeln',
      about: 'Bring irgendein Glas mit. Nächsten Monat, wenn der neue Lieferant feststeht.',
      price: '1', chf: 1, tags: ['zero waste'], state: 'draft',
    },
  ],
  'Blumenstand Mohnschein': [
    {
      name: 'Le bouquet de fin de journée, CHF 10',
      about: 'Ce qui s’est ouvert aujourd’hui est le plus beau ce soir. Emballé dans du papier journal.',
      price: '10', chf: 10, usual: 16, tags: ['flowers', 'Blumen'], days: 'Tu-Fr', hours: '17:30-18:30', until: '+42 d',
    },
    {
      name: 'Couronne de fleurs en cinq minutes',
      about: 'Des marguerites, du lierre, un peu de fil. Tient un jour de festival et une photo.',
      price: '14', chf: 14, usual: 18, tags: ['flowers', 'festival'], until: '+200 min',
    },
  ],
  'Falafel Fliegenpilz': [
    {
      name: 'Falafel im Brot mit Limonade, CHF 12',
      about: 'Sieben Stück, fünf Sorten Eingelegtes, Tahini ohne Grenzen.',
      price: '12', chf: 12, usual: 15.5, tags: ['vegan', 'Falafel', 'Zmittag'], days: 'Mo-Fr', hours: '11:00-14:30', until: '+46 d',
    },
    {
      name: 'Mezze-Box fürs Birsufer',
      about: 'Für zwei Hungrige oder vier Höfliche. Die Gabeln sind aus Holz.',
      price: '29', chf: 29, usual: 36, tags: ['vegan', 'picnic', 'takeaway'], until: '+9 h', code: true,
    },
  ],
  'Gasthof Zum Müden Maultier': [
    {
      name: 'Cordon-bleu-Donnerstag',
      about: 'Schinken, Bergkäse, ein Teller, der zu klein ist. Halbe Portionen gibt es, und sie sind gross.',
      price: '27', chf: 27, usual: 34, tags: ['Znacht', 'Schweizer Küche'], days: 'Th', hours: '18:00-22:00', until: '+35 d',
    },
    {
      name: 'Menü im Kastaniengarten, drei Gänge',
      about: 'Wurde unter den Bäumen serviert, bis die Blätter fielen.',
      price: '48', chf: 48, tags: ['garden', 'menu'], from: '-27 d', until: '-6 d',
    },
  ],
  'Käserei Lochgenau': [
    {
      name: 'Raclette pour quatre, pesée et tranchée',
      about: 'Huit cents grammes de trois sortes, avec un four à emprunter.',
      price: '24', chf: 24, usual: 29, tags: ['Käse', 'Raclette', 'vegetarian'], category: 'food', until: '+28 d',
    },
    {
      name: 'Fins de meule, 20 % de moins',
      about: 'Le même fromage, de drôles de coins. Le vendredi après-midi.',
      discount: '-20%', tags: ['Käse', 'zero waste'], days: 'Fr', hours: '14:00-18:30', until: '+63 d',
    },
  ],
  'Genossenschaft für gemeinsames Kochen, lautes Singen und leise Mitternachtssuppe': [
    {
      name: 'Um sechs rüsten, um acht essen, um zehn singen, und jeder zahlt, was er kann',
      about: 'Fünfzehn Schürzen hängen an der Tür. Das Znacht ist ein Topf, das Liederbuch hat vierzig Seiten.',
      discount: 'zahl, was du kannst', tags: ['community', 'singing', 'vegetarian'], days: 'Th-Sa', hours: '18:00-22:00', until: '+49 d',
    },
    {
      name: 'Mitternachtssuppe für alle',
      about: 'Eine Kelle, ein Teller, ein Stuhl. Vor eins ist der Topf nie leer.',
      discount: 'gratis', chf: 0, tags: ['soup', 'late night', 'vegan'], days: 'Fr-Su', hours: '00:00-01:00', until: '+49 d',
    },
  ],
  'Tretlager Espresso': [
    {
      name: 'Espresso am Strassenrand, CHF 2.50',
      about: 'Velo anhalten, Espresso trinken. Wenn wir Zeit haben, klingeln wir zweimal.',
      price: '2.50', chf: 2.5, usual: 3.8, tags: ['Kaffee', 'espresso'], days: 'Mo-Fr', hours: '07:30-09:30', until: '+43 d',
    },
    {
      name: 'Dem Schirm nach: der zehnte Kaffee gratis',
      about: 'Eine Stempelkarte aus echtem Karton. Sie übersteht Regen und die meisten Hosentaschen.',
      discount: '10. gratis', tags: ['Kaffee', 'loyalty'],
    },
    {
      name: 'Kaffeevelo für dein Quartierfest',
      about: 'Zwei Stunden, sechzig Tassen, ein gut gelaunter Mann mit Mütze.',
      price: '280', chf: 280, usual: 340, tags: ['catering', 'Kaffee'], terms: 'Innerhalb von Basel. Eine Steckdose braucht es nicht.', until: '+68 d', code: true,
    },
  ],
  'Spielwaren Murmelfalle': [
    {
      name: 'Un sachet de billes avec chaque jeu',
      discount: 'offert', chf: 0, tags: ['toys', 'Familie', 'kids'], until: '+30 d',
    },
  ],
}
