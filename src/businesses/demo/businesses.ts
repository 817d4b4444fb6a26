import type { Tier } from '../contract.ts'
import type { Category } from '../../brand/categories.ts'

/** A merchant as a person writes it down; what can be derived (slug, ids, times) is left to the filler. */
export interface DemoBusiness {
  name: string
  category: Category
  /** FREE when absent. */
  tier?: Tier
  /** Runs the CHF 200 promotion; one merchant at most. */
  promoted?: true
  address: string | null
  /** Latitude and longitude; null: it has no place on the map. */
  at: [number, number] | null
  /** BS when absent. */
  canton?: 'BL'
  /** OSM opening_hours; null: nobody has said them. */
  hours: string | null
  /** The hours are free wording that nobody but people can read. */
  hoursUnclear?: true
  /** Begins with 061 000: no Swiss subscriber number begins with 0, so nobody is ever called by mistake. */
  phone?: string
  website?: string
  about?: string
}

/**
 * All invented. The streets are real, the houses, people and offers are not; positions are set by hand, within about
 * 50 m of the street. Beside the everyday rows there is one of each hard case: a name of 80 characters, no place, no
 * address, no description, no deals, hours that nobody can read, hours that nobody gave.
 */
export const demoBusinesses: DemoBusiness[] = [
  {
    name: 'Lampion & Lärm',
    category: 'nightlife',
    tier: 'ULTIMATE',
    address: 'Klybeckstrasse 63, 4057 Basel',
    at: [47.5662, 7.5909],
    hours: 'Tu-Th 18:00-01:00; Fr-Sa 18:00-03:00; Su,Mo off',
    phone: '+41 61 000 01 01',
    website: 'https://lampion-laerm.example',
    about:
      'Paper lanterns, a long zinc bar and a stage hardly bigger than a table. Bands play at nine, the record player takes over at eleven.',
  },
  {
    name: 'Kellerwelle',
    category: 'nightlife',
    address: 'Uferstrasse 118, 4057 Basel',
    at: [47.5789, 7.5863],
    hours: 'Th 22:00-04:00; Fr-Sa 23:00-06:00',
    phone: '+41 61 000 01 02',
    website: 'https://kellerwelle.example',
    about:
      'Two floors below the old harbour crane, one for house, one for whatever the night asks for. Earplugs are free at the door.',
  },
  {
    name: 'Kino Pantherauge',
    category: 'culture',
    address: 'Clarastrasse 42, 4058 Basel',
    at: [47.5629, 7.5973],
    hours: 'Mo-Fr 17:30-23:30; Sa-Su 13:30-24:00',
    phone: '+41 61 000 01 03',
    website: 'https://pantherauge.example',
    about:
      'Eighty-two velvet seats and a projectionist who still threads 35 mm. Films run in their own language, with German and French subtitles.',
  },
  {
    name: 'Brauerei Wellenbock',
    category: 'drinks',
    tier: 'ULTIMATE',
    address: 'Gärtnerstrasse 87, 4057 Basel',
    at: [47.5766, 7.5911],
    hours: 'Mo-Th 16:00-23:30; Fr 16:00-01:00; Sa 12:00-01:00; Su 12:00-22:00',
    phone: '+41 61 000 01 04',
    website: 'https://wellenbock.example',
    about:
      'We brew six hundred litres at a time behind the glass wall and pour them in front of it. Ask for the beer that is not on the board.',
  },
  {
    name: 'Café Morgenblau',
    category: 'drinks',
    tier: 'PREMIUM',
    address: 'Feldbergstrasse 71, 4057 Basel',
    at: [47.5664, 7.5925],
    hours: 'Mo-Fr 07:00-18:30; Sa-Su 08:30-17:00',
    phone: '+41 61 000 01 05',
    website: 'https://morgenblau.example',
    about:
      'The first light on the street is ours. Coffee from a small roaster, eggs as you like them, a window seat for everybody.',
  },
  {
    name: 'Backstube Krumenlicht',
    category: 'food',
    address: 'Spalenvorstadt 33, 4051 Basel',
    at: [47.5573, 7.5829],
    hours: 'Mo-Fr 06:00-18:30; Sa 06:00-16:00; Su 07:30-12:00',
    phone: '+41 61 000 01 06',
    about:
      'Sourdough that sleeps for thirty hours and butter croissants that never last until noon. The oven door opens at six.',
  },
  {
    name: 'Weinbar Schieferblau',
    category: 'drinks',
    tier: 'PREMIUM',
    address: 'St. Johanns-Vorstadt 58, 4056 Basel',
    at: [47.5634, 7.5844],
    hours: 'Tu-Sa 17:00-24:00',
    phone: '+41 61 000 01 07',
    website: 'https://schieferblau.example',
    about:
      'Forty bottles are open tonight, half of them from less than an hour away. Small plates, quiet talk, river air from the back door.',
  },
  {
    name: 'Rillengrund Schallplatten',
    category: 'shopping',
    address: 'Oetlingerstrasse 39, 4057 Basel',
    at: [47.5675, 7.5921],
    hours: 'Tu-Fr 11:00-19:00; Sa 10:00-18:00; PH off',
    phone: '+41 61 000 01 08',
    website: 'https://rillengrund.example',
    about:
      'Nine thousand records, two listening chairs and a dog named Flip Side. We buy collections and never the last copy.',
  },
  {
    name: 'Sauna Dampfnudel',
    category: 'wellness',
    address: 'Hafenstrasse 25, 4057 Basel',
    at: [47.5846, 7.5913],
    hours: 'Mo-Th 14:00-22:00; Fr-Su 10:00-23:00',
    phone: '+41 61 000 01 09',
    website: 'https://sauna-dampfnudel.example',
    about:
      'A wood-fired sauna in a converted harbour shed, with a cold plunge under the open sky. Afterwards there is, of course, a Dampfnudel.',
  },
  {
    name: 'Gelateria Zampanella',
    category: 'food',
    address: 'Güterstrasse 164, 4053 Basel',
    at: [47.5439, 7.5917],
    hours: 'Mo-Th 12:00-22:00; Fr-Su 11:00-23:30',
    phone: '+41 61 000 01 10',
    about:
      'Fourteen flavours, made this morning from milk of the upper Baselbiet and fruit in season. The pistachio is the real colour: brownish.',
  },
  {
    name: 'Nebelschale Ramen',
    category: 'food',
    tier: 'PREMIUM',
    address: 'Steinentorstrasse 19, 4051 Basel',
    at: [47.5515, 7.5883],
    hours: 'Mo-Fr 11:30-14:00,17:30-22:30; Sa 12:00-23:00; Su off',
    phone: '+41 61 000 01 11',
    website: 'https://nebelschale.example',
    about:
      'Broth on the fire since yesterday, noodles pulled by hand, eleven seats at the counter. Slurping is a compliment.',
  },
  {
    name: 'Fonduestube Zum Fadenzug',
    category: 'food',
    address: 'Schneidergasse 15, 4051 Basel',
    at: [47.5582, 7.5866],
    hours: 'Mo-Sa 11:30-14:00,17:30-23:00; Su 17:00-22:00',
    phone: '+41 61 000 01 12',
    about: 'Low beams, checked cloths and a pot that never stands still. Who loses the bread sings a verse.',
  },
  {
    name: 'Bar Bitterzunge',
    category: 'nightlife',
    address: 'Klosterberg 9, 4051 Basel',
    at: [47.552, 7.5898],
    hours: 'Mo-Th 17:00-24:00; Fr-Sa 17:00-03:00; Su off',
    phone: '+41 61 000 01 13',
    website: 'https://bitterzunge.example',
    about:
      'Stirred, not hurried. Thirty amari on the shelf, a bartender who asks what kind of day it was, and the right glass for the answer.',
  },
  {
    name: 'Buvette Kieselhocker',
    category: 'drinks',
    address: null,
    at: [47.5637, 7.5887],
    hours: 'Mo-Fr 14:00-23:00; Sa-Su 11:00-23:00',
    about:
      'A wooden hut on the Kleinbasel bank: deck chairs, a cold tap and the sun until the very last minute. Bring your swim bag.',
  },
  {
    name: 'Zwirn und Zeit',
    category: 'shopping',
    address: 'Spalenberg 38, 4051 Basel',
    at: [47.5569, 7.5847],
    hours: 'Tu-Fr 11:00-18:30; Sa 10:00-17:00; PH off',
    phone: '+41 61 000 01 15',
    website: 'https://zwirn-und-zeit.example',
    about:
      'Clothes from four decades, washed, mended and sorted by colour. The tailor in the back shortens trousers while you wait.',
  },
  {
    name: 'Tanzschuppen Gleis Minus Eins',
    category: 'nightlife',
    address: 'Münchensteinerstrasse 134, 4053 Basel',
    at: [47.5416, 7.6026],
    hours: 'We 19:00-24:00; Fr-Sa 21:00-04:00; Su 14:00-18:00',
    phone: '+41 61 000 01 16',
    website: 'https://gleis-minus-eins.example',
    about: 'A goods shed with a sprung wooden floor. Swing on Wednesdays, everything with a bass line at the weekend.',
  },
  {
    name: 'Glutnest Street Food',
    category: 'food',
    promoted: true,
    address: 'Unterer Rheinweg 70, 4057 Basel',
    at: [47.5659, 7.5873],
    hours: 'Mo-Th 11:30-22:00; Fr-Su 11:30-01:00',
    phone: '+41 61 000 01 17',
    website: 'https://glutnest.example',
    about:
      'One grill, one oven, two sisters. Flatbread from the ember, skewers from the smoke, and a hot sauce that comes with a warning.',
  },
  {
    name: 'Zum Halben Hecht',
    category: 'drinks',
    address: 'Rheingasse 52, 4058 Basel',
    at: [47.5598, 7.5929],
    hours: 'Mo-Th 16:00-24:00; Fr-Sa 16:00-02:00; Su 15:00-23:00',
    phone: '+41 61 000 01 18',
    about: 'A Beiz with a round table for people who come alone. Beer in the small glass, talk in the large one.',
  },
  {
    name: 'Buchhandlung Silbentrenner',
    category: 'shopping',
    address: 'Schützenmattstrasse 29, 4051 Basel',
    at: [47.5561, 7.581],
    hours: 'Mo-Fr 09:30-18:30; Sa 09:30-17:00; PH off',
    phone: '+41 61 000 01 19',
    website: 'https://silbentrenner.example',
    about:
      'Poetry at eye level, crime on the ladder, picture books on the floor. Tell us three books you love and we find the fourth.',
  },
  {
    name: 'Galerie Kehrwasser',
    category: 'culture',
    address: 'Rebgasse 34, 4058 Basel',
    at: [47.5601, 7.5951],
    hours: 'nach Vereinbarung, einfach klingeln',
    hoursUnclear: true,
    website: 'https://kehrwasser.example',
    about:
      'Two rooms for young painters and sound artists of the three countries. Ring the lower bell, someone is usually there.',
  },
  {
    name: 'Museum der verlorenen Schirme',
    category: 'culture',
    address: 'Malzgasse 20, 4052 Basel',
    at: [47.5531, 7.5969],
    hours: 'We-Su 11:00-17:00; PH 11:00-16:00',
    phone: '+41 61 000 01 21',
    about:
      'Four hundred umbrellas left in trams, cinemas and hearts, each with its story. Leave yours and you are in the collection.',
  },
  {
    name: 'Yogaraum Kranich und Kiesel',
    category: 'wellness',
    address: 'Alemannengasse 41, 4058 Basel',
    at: [47.558, 7.6019],
    hours: 'Mo-Fr 06:45-09:00,12:00-13:30,17:30-21:00; Sa-Su 09:00-12:00',
    website: 'https://kranich-kiesel.example',
    about: 'Slow classes above the river for stiff necks and tired dancers. Mats, blankets and ginger tea are there.',
  },
  {
    name: 'Coiffeur Lockenwicht',
    category: 'wellness',
    address: 'Mülhauserstrasse 96, 4056 Basel',
    at: [47.5676, 7.5783],
    hours: 'Tu-We,Fr 09:00-18:30; Th 09:00-20:00; Sa 08:30-15:00',
    phone: '+41 61 000 01 23',
    about:
      'Cuts for every kind of hair at one price for everybody. The silent chair by the window is for people who need an hour off.',
  },
  {
    name: 'Feuer & Zwiebel Kebab',
    category: 'food',
    address: 'Hammerstrasse 105, 4057 Basel',
    at: [47.5648, 7.5957],
    hours: 'Mo-Th 10:30-24:00; Fr-Sa 10:30-05:00; Su 12:00-23:00',
    phone: '+41 61 000 01 24',
    about:
      'Bread from our own oven, salad cut when you order, and open when the clubs let you out. The garlic sauce is honest.',
  },
  {
    name: 'Krua Mondregen',
    category: 'food',
    address: 'Müllheimerstrasse 54, 4057 Basel',
    at: [47.5674, 7.5926],
    hours: 'Tu-Fr 11:30-14:00,18:00-22:00; Sa-Su 17:30-22:00',
    phone: '+41 61 000 01 25',
    about:
      'The curries of an aunt from Chiang Rai, cooked by her niece from the Matthäus quarter. Three chillies mean three chillies.',
  },
  {
    name: 'Kiosk Gierseil',
    category: 'drinks',
    address: 'Oberer Rheinweg 93, 4058 Basel',
    at: [47.5583, 7.5946],
    hours: 'Mo-Su 09:00-19:00',
    about:
      'Ice, coffee and dry socks at the ferry landing. Named after the rope that lets the ferry cross without an engine.',
  },
  {
    name: 'Kiosk Nimmermüd',
    category: 'other',
    address: 'Centralbahnstrasse 17, 4051 Basel',
    at: [47.5482, 7.5893],
    hours: '24/7',
    phone: '+41 61 000 01 27',
    about: 'Open while you sleep and while you do not. Chargers, chocolate, hot soup, tram tickets, a good word.',
  },
  {
    name: 'Pizzeria Vento di Fiume',
    category: 'food',
    address: 'Elsässerstrasse 61, 4056 Basel',
    at: [47.569, 7.5796],
    hours: 'Mo-Fr 11:30-14:00,18:00-23:00; Sa-Su 12:00-23:00',
    phone: '+41 61 000 01 28',
    website: 'https://ventodifiume.example',
    about: 'Dough with two days of patience and an oven at 450 degrees. The takeaway window faces the tram stop.',
  },
  {
    name: 'Zur Grossen Injera',
    category: 'food',
    address: 'Bläsiring 118, 4057 Basel',
    at: [47.5687, 7.5947],
    hours: 'Tu-Sa 17:30-22:30; Su 12:00-21:00',
    phone: '+41 61 000 01 29',
    about:
      'One plate in the middle, many hands around it. Eritrean and Ethiopian stews, most of them vegan, and coffee roasted at the table.',
  },
  {
    name: 'Kontrabasskeller',
    category: 'nightlife',
    address: 'Heuberg 24, 4051 Basel',
    at: [47.5561, 7.5863],
    hours: 'We-Sa 20:00-01:30',
    website: 'https://kontrabasskeller.example',
    about: 'Jazz under a vault from the year 1480. Sixty chairs, no microphone for the bass, silence during solos.',
  },
  {
    name: 'Velowerkstatt Kettenhund',
    category: 'other',
    address: 'Davidsbodenstrasse 40, 4056 Basel',
    at: [47.5668, 7.5757],
    hours: null,
    phone: '+41 61 000 01 31',
    about: 'Flat tyre at noon, on the road at one. The dog in the name is friendly and asleep.',
  },
  {
    name: 'Waschsalon Schaumkrone',
    category: 'other',
    address: 'Dornacherstrasse 180, 4053 Basel',
    at: [47.5421, 7.5926],
    hours: 'Mo-Sa 07:00-23:00; Su 10:00-22:00; PH off',
    phone: '+41 61 000 01 32',
    about:
      'Eight washing machines, four taps, one pinball table. A wash takes 40 minutes: exactly one beer and one lost game.',
  },
  {
    name: 'Blumenstand Mohnschein',
    category: 'shopping',
    address: 'Bruderholzstrasse 41, 4053 Basel',
    at: [47.5424, 7.5936],
    hours: 'Tu-Fr 08:00-18:30; Sa 07:30-16:00; Su 10:00-13:00',
    phone: '+41 61 000 01 33',
    about: 'Flowers from fields you could cycle to. Bunches for apologies, first dates and kitchen tables.',
  },
  {
    name: 'Falafel Fliegenpilz',
    category: 'food',
    address: 'Hauptstrasse 38, 4127 Birsfelden',
    at: [47.5539, 7.6206],
    canton: 'BL',
    hours: 'Mo-Fr 11:00-21:00; Sa 12:00-22:00; Su,PH off',
    phone: '+41 61 000 01 34',
    about: 'Falafel to order, pickles in five colours, no mushrooms of any kind. Vegan from the bread to the baklava.',
  },
  {
    name: 'Gasthof Zum Müden Maultier',
    category: 'food',
    address: 'Hauptstrasse 61, 4102 Binningen',
    at: [47.5388, 7.572],
    canton: 'BL',
    hours: 'We-Fr 11:30-14:00,18:00-23:00; Sa 11:30-23:00; Su 11:30-21:00; PH off',
    phone: '+41 61 000 01 35',
    website: 'https://muedes-maultier.example',
    about: 'Country cooking at the end of the tram ride, with a chestnut garden for forty. The mule retired in 1962.',
  },
  {
    name: 'Käserei Lochgenau',
    category: 'shopping',
    address: 'Baslerstrasse 112, 4123 Allschwil',
    at: [47.5519, 7.5489],
    canton: 'BL',
    hours: 'Tu-Fr 08:00-12:15,14:00-18:30; Sa 08:00-15:00',
    phone: '+41 61 000 01 36',
    about:
      'Forty cheeses from the Jura, the Vosges and the Black Forest, cut to the gram. Try before you choose, we insist.',
  },
  {
    name: 'Genossenschaft für gemeinsames Kochen, lautes Singen und leise Mitternachtssuppe',
    category: 'food',
    address: 'Erlenmattstrasse 11, 4058 Basel',
    at: [47.5699, 7.6016],
    hours: 'Th-Sa 18:00-01:00',
    website: 'https://mitternachtssuppen.example',
    about: 'A neighbourhood kitchen where guests peel, stir and sing. At midnight everybody gets a bowl, paid or not.',
  },
  {
    name: 'Tretlager Espresso',
    category: 'drinks',
    address: 'On three wheels, somewhere in Kleinbasel',
    at: null,
    hours: 'Mo-Fr 07:30-11:30; Sa-Su 10:00-16:00',
    website: 'https://tretlager.example',
    about: 'An espresso machine on a cargo bike. Look for the orange umbrella, or ask where it was last seen.',
  },
  {
    name: 'Spielwaren Murmelfalle',
    category: 'shopping',
    address: 'Hegenheimerstrasse 77, 4055 Basel',
    at: [47.5616, 7.5687],
    hours: 'Tu-Fr 10:00-12:30,14:00-18:30; Sa 10:00-16:00',
    phone: '+41 61 000 01 39',
  },
  {
    name: 'Antiquariat Fliegenkopf',
    category: 'shopping',
    address: 'Nadelberg 22, 4051 Basel',
    at: [47.5583, 7.5853],
    hours: 'We-Fr 13:00-18:00; Sa 11:00-16:00; PH off',
    phone: '+41 61 000 01 40',
    about:
      'Books that have already been loved once. Named after a letter set upside down, as every printer will tell you.',
  },
]
