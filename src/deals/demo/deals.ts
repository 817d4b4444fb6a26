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
      name: 'Before midnight, half the door',
      about: 'Come before twelve and pay half. The sound system is warm by then, the dance floor still yours.',
      price: '10', chf: 10, usual: 20, discount: '-50%', tags: ['techno', 'house', 'Club'], days: 'Fr,Sa', hours: '23:00-00:00', until: '+30 d', code: true,
    },
    {
      name: 'Festival wristband lets two in',
      about: 'Show the wristband and bring a friend: one entry counts for both.',
      discount: '2 for 1', tags: ['wristband', 'techno', 'late night'], days: 'Th-Sa', hours: '22:00-04:00', until: '+9 d', limit: 300, gone: 188, code: true,
    },
    {
      name: 'Water is free, always',
      about: 'Every bar fills your bottle, all night, without a word. Look after each other.',
      discount: 'free', chf: 0, tags: ['water', 'late night'], category: 'drinks',
    },
    {
      name: 'Thursday house class for beginners',
      about: 'An hour of steps with a patient teacher, then straight on to the floor. Entry is included.',
      price: '18', chf: 18, usual: 25, tags: ['house', 'dance class', 'Tanzkurs'], days: 'Th', hours: '22:00-23:00', until: '+38 d', limit: 24, gone: 24, code: true,
    },
    {
      name: 'Breakfast rave: coffee at five',
      about: 'The last hour has strong coffee and soft lights. A filter cup is in the price of your ticket.',
      discount: 'included', tags: ['Kaffee', 'techno', 'after hours'], days: 'Sa,Su', hours: '04:30-06:00', until: '+23 d',
    },
    {
      name: 'Early tickets for the harbour night',
      about: 'Four DJs, one crane, one night. The first two hundred tickets cost what a film costs.',
      price: '17.50', chf: 17.5, usual: 28, tags: ['techno', 'open air', 'Hafen'], from: '+3 d 10:00', until: '+17 d', limit: 200, code: true,
    },
    {
      name: 'Student night, 10 francs till one',
      about: 'Any student card of the three countries counts, also an expired one with a good story.',
      price: '10', chf: 10, usual: 20, tags: ['students', 'Studierende'], days: 'Th', hours: '22:00-01:00', until: '+52 d',
    },
  ],
  'Kino Pantherauge': [
    {
      name: 'Film and a glass of red, CHF 22',
      about: 'Any film, any seat, and a glass of Baselbiet Pinot to take inside.',
      price: '22', chf: 22, usual: 27, tags: ['Kino', 'Wein', 'date night'], days: 'Mo-Th', until: '+28 d', code: true,
    },
    {
      name: 'Monday is cinema day: CHF 12',
      about: 'All seats, all films, all Monday. Popcorn keeps its price, sorry.',
      price: '12.–', chf: 12, usual: 19, tags: ['Kino', 'film'], days: 'Mo', until: '+60 d',
    },
    {
      name: 'Silent film with live synth',
      about: 'A classic of 1927 and a musician who has not seen it either. Sixty places on the floor cushions.',
      price: '16', chf: 16, usual: 24, tags: ['silent film', 'live music', 'synth'], from: '+5 d 12:00', until: '+6 d 23:00', limit: 60, code: true,
    },
    {
      name: 'Matinee with croissant',
      about: 'Sunday at two is morning enough. A butter croissant lies on every armrest.',
      price: '15.50', chf: 15.5, usual: 19, tags: ['matinee', 'Gipfeli'], days: 'Su', hours: '13:30-16:00', until: '+33 d',
    },
    {
      name: 'Last seats of the night, two for one',
      about: 'What is empty twenty minutes before the late show goes to pairs.',
      discount: '2 for 1', tags: ['late night', 'Kino'], hours: '20:45-21:30', until: '+5 h',
    },
    {
      name: 'Ten films, one card',
      about: 'Valid for a year, also for friends. Cheaper than staying at home with a subscription.',
      price: '140', chf: 140, usual: 190, discount: '-26%', tags: ['Abo', 'gift'], terms: 'Not for special events. No refund for unused films.', until: '+45 d', code: true, at: null,
    },
  ],
  'Brauerei Wellenbock': [
    {
      name: 'Brewer’s board: five small beers',
      about: 'From light to dark, with a pretzel in the middle. Our brewer’s notes are on the back of the board.',
      price: '14', chf: 14, usual: 18, tags: ['Bier', 'tasting', 'Brezel'], until: '+40 d',
    },
    {
      name: 'Tap hour: every half litre CHF 6',
      about: 'When the shift ends next door, ours begins.',
      price: '6', chf: 6, usual: 8.5, tags: ['Bier', 'happy hour', 'Feierabend'], days: 'Mo-Fr', hours: '16:00-18:00', until: '+55 d',
    },
    {
      name: 'Tour of the cellar with three tastings',
      about: 'Forty minutes between the tanks, in English on Saturdays. Closed shoes, please.',
      price: '19.–', chf: 19, usual: 25, tags: ['tour', 'Bier', 'Führung'], category: 'culture', days: 'Sa', hours: '14:00-17:00', until: '+21 d', limit: 45, gone: 31, code: true,
    },
    {
      name: 'Crate to take home, six kinds',
      about: 'Six times 33 cl, choose your own mix from the cold shelf.',
      price: '21', chf: 21, usual: 24, discount: '-12%', tags: ['takeaway', 'Bier'], category: 'shopping', until: '+18 d', code: true, state: 'draft',
    },
    {
      name: 'Alcohol-free wheat beer for drivers',
      about: 'Who brings three thirsty friends and drives them home drinks on us.',
      discount: 'free', chf: 0, tags: ['alkoholfrei', 'alcohol-free'],
    },
    {
      name: 'Brunch among the tanks',
      about: 'Eggs, bread made with our malt, smoked trout, and coffee until you say stop.',
      price: '29.50', chf: 29.5, usual: 36, tags: ['Brunch', 'Kaffee'], category: 'food', days: 'Su', hours: '12:00-15:00', until: '+26 d', limit: 80, gone: 22, code: true,
    },
    {
      name: 'Fresh hop ale, first barrel',
      about: 'Picked on Tuesday, in the kettle on the same day. When the barrel is empty, it was good.',
      price: '7', chf: 7, tags: ['IPA', 'Bier', 'fresh hop'], until: '+3 h', limit: 100, gone: 84, code: true,
    },
    {
      name: 'Quiz night: the winning table drinks free',
      about: 'Thirty questions, three of them about beer. Teams of up to six, start at eight.',
      discount: 'winners drink free', tags: ['quiz', 'Bier'], from: '+1 d', days: 'Tu', hours: '19:30-22:30', until: '+58 d',
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
      name: 'Yesterday’s bread, half price',
      about: 'Better for toast, better for fondue, better than the bin.',
      discount: '-50%', tags: ['bread', 'Brot', 'zero waste'], hours: '06:00-09:00', until: '+60 d',
    },
    {
      name: 'Six Gipfeli for the night shift',
      about: 'Warm from the sheet for everybody who is still or already awake.',
      price: '9', chf: 9, usual: 12, tags: ['Gipfeli', 'Zmorge', 'late night'], days: 'Mo-Fr', hours: '06:00-07:30', until: '+31 d',
    },
    {
      name: 'Last hour bag: what is left, CHF 5',
      about: 'Three to five pieces, sweet and salty, as the shelf has it. No choosing, no regrets.',
      price: '5', chf: 5, tags: ['zero waste', 'snack'], days: 'Mo-Fr', hours: '17:30-18:30', until: '+44 d', limit: 400, gone: 263, code: true,
    },
    {
      name: 'Rhubarb tart, the last tray',
      about: 'Sour under sweet, twelve slices, no second tray this week.',
      price: '4.50', chf: 4.5, usual: 6, tags: ['Wähe', 'cake'], until: '+4 h', limit: 12, gone: 5, code: true,
    },
    {
      name: 'Sourdough starter to adopt',
      about: 'A spoon of ours in your jar, with a page of advice. It answers to the name of Bruno.',
      discount: 'free', chf: 0, tags: ['bread', 'Sauerteig', 'vegan'], until: '+27 d',
    },
  ],
  'Weinbar Schieferblau': [
    {
      name: 'Three glasses from three countries',
      about: 'Baselbiet, Alsace, Baden: a finger each, poured side by side. You decide who wins.',
      price: '18', chf: 18, usual: 24, tags: ['Wein', 'Apéro', 'tasting'], hours: '17:00-19:30', until: '+36 d', code: true,
    },
    {
      name: 'Corkage free on Tuesdays',
      about: 'Bring the bottle you were saving. We bring the glasses and do not ask what it cost.',
      discount: 'CHF 20 off', tags: ['Wein', 'BYO'], days: 'Tu', until: '+49 d',
    },
    {
      name: 'Cheese plate for two with the second glass',
      about: 'Five kinds from the cheesemaker in Allschwil, bread and pear mustard.',
      price: '14.–', chf: 14, usual: 22, tags: ['cheese', 'Käse', 'Wein'], category: 'food', until: '+20 d',
    },
    {
      name: 'Natural wine by the river, glass CHF 7',
      about: 'Our cool boxes stand on the St. Johann bank when it does not rain.',
      price: '7', chf: 7, usual: 9, tags: ['Wein', 'natural wine', 'pop-up', 'river'], hours: '17:00-22:00', until: '+14 d', at: popUps.elsaesserBank,
    },
    {
      name: 'The open bottles of the week',
      about: 'What is open on Saturday night must be empty on Saturday night.',
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
      name: 'Early steam, CHF 19 until five',
      about: 'Sauna, plunge pool and a towel, before the others come from work.',
      price: '19', chf: 19, usual: 28, tags: ['Sauna', 'Dampfbad'], days: 'Mo-Th', hours: '14:00-17:00', until: '+46 d', code: true,
    },
    {
      name: 'Dampfnudel with vanilla sauce after the last steam',
      about: 'Comes with every evening ticket. Eat slowly.',
      discount: 'free', chf: 0, tags: ['Sauna', 'dessert'], hours: '19:00-22:00', until: '+19 d',
    },
    {
      name: 'Dancers’ feet: footbath and massage, 20 minutes',
      about: 'For everybody with yesterday’s wristband still on.',
      price: '24', chf: 24, usual: 35, tags: ['massage', 'wristband'], hours: '10:00-16:00', until: '+9 d', limit: 60, gone: 38, code: true,
    },
    {
      name: 'Ten steams, pay eight',
      about: 'The card has no name on it and no date.',
      discount: '-20%', price: '224', chf: 224, usual: 280, tags: ['Abo', 'Sauna'], until: '+70 d',
    },
    {
      name: 'Full moon sauna until one',
      about: 'Once a month the stove stays on. Forty people, one moon, no phones.',
      price: '32', chf: 32, tags: ['Sauna', 'late night'], from: '+9 d 08:00', until: '+10 d 02:00', limit: 40, code: true,
    },
  ],
  'Gelateria Zampanella': [
    {
      name: 'Third scoop on us',
      about: 'Order two, point at a third.',
      discount: 'third scoop free', tags: ['Glace', 'Gelato'], days: 'Mo-Th', hours: '14:00-18:00', until: '+32 d',
    },
    {
      name: 'Midnight sorbet, CHF 3',
      about: 'Lemon and basil for the way home. Vegan, cold, very awake.',
      price: '3', chf: 3, usual: 4.5, tags: ['Glace', 'vegan', 'Sorbet', 'late night'], days: 'Fr-Su', hours: '22:00-23:30', until: '+25 d',
    },
    {
      name: 'Family tub, one litre',
      about: 'Four flavours, packed for forty minutes without a freezer.',
      price: '22.–', chf: 22, usual: 27, tags: ['Glace', 'Familie', 'takeaway'], until: '+54 d',
    },
    {
      name: 'Affogato for two at the counter',
      about: 'Hot on cold. Share a spoon or do not.',
      price: '9.50', chf: 9.5, usual: 13, tags: ['Kaffee', 'Glace'], until: '+6 h',
    },
    {
      name: 'Ice cart on the St. Alban bank',
      about: 'Stracciatella, mango and hazelnut where the swimmers get in, weekends only.',
      price: '4', chf: 4, tags: ['Glace', 'pop-up', 'river'], days: 'Sa,Su', hours: '12:00-19:00', until: '+28 d', at: popUps.albanBank,
    },
  ],
  'Nebelschale Ramen': [
    {
      name: 'Late shoyu bowl, CHF 15',
      about: 'The last ninety minutes of the kitchen, same broth, smaller queue.',
      price: '15', chf: 15, usual: 21, tags: ['Ramen', 'Japanese', 'late night'], hours: '21:00-22:30', until: '+37 d', code: true,
    },
    {
      name: 'Lunch set with gyoza',
      about: 'A bowl, four dumplings and tea, on the table in nine minutes.',
      price: '22.50', chf: 22.5, usual: 27, tags: ['Zmittag', 'lunch', 'Ramen'], days: 'Mo-Fr', hours: '11:30-14:00', until: '+51 d',
    },
    {
      name: 'Vegan miso with a free extra',
      about: 'Corn, pickled ginger, tofu or another handful of noodles: say which.',
      discount: 'extra topping free', tags: ['vegan', 'Ramen', 'Miso'], until: '+17 d',
    },
    {
      name: 'Counter seat for one, dessert included',
      about: 'People who eat alone get the best view and a black sesame pudding.',
      discount: 'dessert free', tags: ['solo', 'dessert'], hours: '17:30-19:00', until: '+23 d',
    },
  ],
  'Fonduestube Zum Fadenzug': [
    {
      name: 'Moitié-moitié for two, CHF 46',
      about: 'Gruyère and Vacherin, bread for an army, a thimble of Kirsch at the end.',
      price: '46', chf: 46, usual: 58, tags: ['Fondue', 'Käse', 'Znacht'], days: 'Su-We', until: '+39 d', code: true,
    },
    {
      name: 'Fondue at lunch, glass of white included',
      about: 'A small pot for one. Nobody will see you before three.',
      price: '28', chf: 28, usual: 35, tags: ['Fondue', 'Zmittag', 'Wein'], days: 'Mo-Fr', hours: '11:30-14:00', until: '+28 d',
    },
    {
      name: 'Big table, one eats free',
      about: 'From eight people on. You may draw lots, we bring the matches.',
      discount: '8 for 7', tags: ['Fondue', 'Gruppen'], terms: 'One kind of fondue per table, reservation by phone. Not on Saturdays.', days: 'Su-Fr', until: '+66 d',
    },
    {
      name: 'Summer fondue under the stars',
      about: 'Cold beer instead of tea, windows open. Season is over, the pots are resting.',
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
      name: 'Swimmers’ tea, CHF 2',
      about: 'Come dripping and get it hot, with honey. Your swim bag is the ticket.',
      price: '2', chf: 2, usual: 4.5, tags: ['Rheinschwimmen', 'tea', 'river'], until: '+18 d',
    },
    {
      name: 'Sunset jug for four',
      about: 'A litre and a half of white wine, soda and mint, four glasses, one bench.',
      price: '34', chf: 34, usual: 42, tags: ['Apéro', 'sunset', 'river'], hours: '18:00-21:00', until: '+24 d', code: true,
    },
    {
      name: 'Sausage and a Stange',
      about: 'Cervelat from the grill, bread, mustard and three decilitres of lager.',
      price: '12.50', chf: 12.5, usual: 15, tags: ['Grill', 'Bier', 'Cervelat'], category: 'food', days: 'Fr-Su', hours: '12:00-22:00', until: '+33 d',
    },
    {
      name: 'Deck chair hour with iced coffee',
      about: 'The front row is yours for sixty minutes. So is the view of the ferry.',
      price: '8', chf: 8, tags: ['Kaffee', 'river'], days: 'Mo-Fr', hours: '14:00-16:00', from: '-22 d', until: '-4 d',
    },
    {
      name: 'Rain deal: everything warm, half price',
      about: 'When drops hit the tarpaulin, soup, tea and Glühmost cost half. We decide what is rain.',
      discount: '-50%', tags: ['rain', 'soup'], until: '+57 d',
    },
    {
      name: 'Coconut water on ice',
      about: 'The delivery came twice. Help us.',
      price: '4', chf: 4, usual: 6, tags: ['vegan', 'alkoholfrei'], until: '+3 h', limit: 48, gone: 48, code: true,
    },
  ],
  'Zwirn und Zeit': [
    {
      name: 'One rack, everything CHF 25',
      about: 'Denim jackets, silk shirts, a fur hat now and then. It was filled at noon.',
      price: '25', chf: 25, tags: ['vintage', 'second hand', 'Mode'], until: '+75 min',
    },
    {
      name: 'Hem while you wait, CHF 15',
      about: 'Trousers in twenty minutes, with a coffee and old magazines.',
      price: '15.–', chf: 15, usual: 22, tags: ['tailor', 'Änderungen'], days: 'Tu-Th', from: '-25 d', until: '-8 d',
    },
    {
      name: 'Festival shirts of past decades, -30%',
      about: 'Worn at better parties than ours. Sizes S to XXL.',
      discount: '-30%', tags: ['vintage', 'shirts', 'wristband'], until: '+12 d', code: true,
    },
    {
      name: 'Swap hour: bring three, take two',
      about: 'Clean pieces without holes. The rest goes to the women’s shelter.',
      discount: 'free', chf: 0, tags: ['vintage', 'swap', 'zero waste'], days: 'Sa', hours: '10:00-12:00', until: '+40 d',
    },
  ],
  'Tanzschuppen Gleis Minus Eins': [
    {
      name: 'Swing Wednesday with a free first lesson',
      about: 'Lindy hop from zero at seven, social dancing from eight. No partner needed, leather soles welcome.',
      price: '12', chf: 12, tags: ['swing', 'Tanzkurs', 'dance'], days: 'We', hours: '19:00-23:30', until: '+61 d',
    },
    {
      name: 'Four friends, three tickets',
      about: 'Arrive together and the fourth is our guest.',
      discount: '4 for 3', tags: ['Club', 'Gruppen'], days: 'Fr,Sa', hours: '21:00-23:30', until: '+34 d', code: true,
    },
    {
      name: 'Drum and bass till four, CHF 15',
      about: 'One genre, one night, the big speakers. Reduced for wristbands at the side door.',
      price: '15', chf: 15, usual: 22, tags: ['drum and bass', 'late night', 'wristband'], days: 'Sa', hours: '22:00-04:00', until: '+13 d', limit: 250, gone: 97, code: true,
    },
    {
      name: 'Seniors’ disco on Sunday afternoon',
      about: 'From sixty on, and whoever brings someone of that age. Cake at four.',
      price: '8', chf: 8, tags: ['disco', 'Tanznachmittag', 'cake'], from: '+6 d 09:00', until: '+48 d', days: 'Su', hours: '14:00-18:00',
    },
  ],
  'Glutnest Street Food': [
    {
      name: 'Flatbread from the ember, CHF 9.50',
      about: 'With roasted peppers, yoghurt and a fistful of herbs. On the bank, straight off the coals.',
      price: '9.50', chf: 9.5, usual: 13, tags: ['street food', 'vegetarian', 'Grill'], until: '+21 d', code: true,
    },
    {
      name: 'Skewer trio with a drink',
      about: 'Chicken, halloumi, aubergine. Lemonade, beer or Schorle.',
      price: '18', chf: 18, usual: 23, tags: ['Grill', 'street food'], hours: '17:00-22:00', until: '+21 d',
    },
    {
      name: 'Hot sauce challenge: finish it, eat free',
      about: 'Six wings, five minutes, one signature on the wall. Milk stands ready.',
      discount: 'free if you finish', tags: ['spicy', 'challenge'], terms: 'From 16 years. One try per evening, at your own risk.', days: 'Fr,Sa', hours: '19:00-23:00', until: '+16 d',
    },
    {
      name: 'Night wrap until one',
      about: 'Everything that is still on the grill, rolled up and handed over.',
      price: '11', chf: 11, usual: 14, tags: ['late night', 'wrap'], days: 'Fr-Su', hours: '22:30-01:00', until: '+21 d',
    },
    {
      name: 'Vegan tray for two',
      about: 'Six small things, two breads, plenty of lemon. Enough for two, a rumour for three.',
      price: '27', chf: 27, usual: 34, tags: ['vegan', 'sharing'], until: '+3 h',
    },
    {
      name: 'Corn on the cob by the steps',
      about: 'Our handcart stands at the stairs below the Rheingasse: chilli butter or lime.',
      price: '6', chf: 6, tags: ['street food', 'pop-up', 'vegetarian', 'river'], hours: '13:00-22:00', until: '+16 d', at: popUps.oberrheinSteps,
    },
  ],
  'Zum Halben Hecht': [
    {
      name: 'Stammtisch beer, 3 dl for CHF 4',
      about: 'Only at the round table, only if you say hello.',
      price: '4', chf: 4, usual: 5.2, tags: ['Bier', 'Beiz', 'Feierabend'], days: 'Mo-Th', hours: '16:00-18:30', until: '+45 d',
    },
    {
      name: 'Soup of the night, CHF 9',
      about: 'Barley, flour soup or whatever the chef’s mother rang about. Bread is included.',
      price: '9', chf: 9, usual: 12, tags: ['soup', 'Mehlsuppe', 'late night'], category: 'food', days: 'Fr,Sa', hours: '22:00-01:30', until: '+38 d',
    },
    {
      name: 'Jass evening: cards, pretzels, a first round',
      about: 'We pair people who have no partner. French cards, Basel manners.',
      discount: 'first round free', tags: ['Jass', 'cards'], days: 'Tu', hours: '19:00-23:00', until: '+53 d',
    },
    {
      name: 'Hot chestnuts with new wine',
      about: 'A paper cone and a decilitre of Suuser, as long as the barrel lasts.',
      price: '10', chf: 10, usual: 13, tags: ['Marroni', 'Suuser'], until: '+7 h',
    },
  ],
  'Buchhandlung Silbentrenner': [
    {
      name: 'Book and bookmark: 10 % on everything',
      about: 'Paperbacks, picture books, poetry. Not on ordered textbooks.',
      discount: '10 % on everything', tags: ['Bücher', 'books'], until: '+14 d', code: true,
    },
    {
      name: 'Blind date with a novel, CHF 12',
      about: 'Wrapped in brown paper with three words on it. Return it if you have read it, nobody has yet.',
      price: '12', chf: 12, tags: ['books', 'gift'], until: '+43 d',
    },
    {
      name: 'Reading with mulled apple juice',
      about: 'A young author from the quarter reads for forty minutes between the shelves. Thirty chairs.',
      price: '5', chf: 5, usual: 10, tags: ['Lesung', 'reading'], category: 'culture', from: '+7 d 10:00', until: '+8 d 21:00', limit: 30,
    },
  ],
  'Galerie Kehrwasser': [
    {
      name: 'Sound installation, guided at six',
      about: 'Twelve loudspeakers, one river, recorded under water. The artist takes you through.',
      discount: 'free', chf: 0, tags: ['Kunst', 'sound art', 'guided tour'], days: 'Th,Fr', hours: '18:00-19:00', until: '+22 d',
    },
    {
      name: 'Small prints for small purses, CHF 40',
      about: 'Signed and numbered, A5, eight artists. The money goes to them in full.',
      price: '40', chf: 40, tags: ['Kunst', 'print', 'gift'], category: 'shopping', until: '+31 d', limit: 64, gone: 19, code: true,
    },
  ],
  'Museum der verlorenen Schirme': [
    {
      name: 'Umbrella day: free when it rains',
      about: 'If it rains on the Malzgasse, the ticket costs nothing. Our porter holds his hand out of the window.',
      discount: 'free', chf: 0, usual: 8, tags: ['Museum', 'rain', 'Familie'], until: '+65 d',
    },
    {
      name: 'Two for one with a lost story',
      about: 'Tell the desk what you once left in a tram. Good ones are written down.',
      discount: '2 for 1', tags: ['Museum', 'Kultur'], days: 'We-Fr', until: '+37 d',
    },
    {
      name: 'Children paint a parasol',
      about: 'Paper, bamboo, colours that wash out. Parents may sit.',
      price: '7.–', chf: 7, usual: 10, tags: ['Familie', 'kids', 'workshop'], days: 'We,Sa', hours: '14:00-16:00', until: '+29 d', limit: 40, gone: 11, code: true,
    },
  ],
  'Yogaraum Kranich und Kiesel': [
    {
      name: 'Morning class with the river, CHF 15',
      about: 'Sixty slow minutes, windows open. You are at work before anybody misses you.',
      price: '15', chf: 15, usual: 24, tags: ['Yoga', 'morning'], days: 'Mo-Fr', hours: '06:45-08:00', until: '+41 d', code: true,
    },
    {
      name: 'Trial week for newcomers',
      about: 'As many classes as you like in seven days. After that we talk.',
      price: '30', chf: 30, tags: ['Yoga', 'beginners'], until: '+56 d',
    },
    {
      name: 'Lying-down concert with gongs',
      about: 'Bring a pillow. Snoring is allowed and happens.',
      price: '20', chf: 20, usual: 28, tags: ['gong', 'relax', 'live music'], from: '-20 d', until: '-1 d',
    },
  ],
  'Coiffeur Lockenwicht': [
    {
      name: 'Fringe trim without appointment',
      about: 'Ten minutes, one pair of scissors, a free look in the mirror.',
      price: '12', chf: 12, tags: ['Coiffeur', 'hair'], days: 'Tu-Fr', hours: '09:00-11:00', until: '+44 d',
    },
    {
      name: 'Stage braids and glitter, CHF 20',
      about: 'Holds until the last encore. Glitter is made of cellulose and leaves with soap.',
      price: '20', chf: 20, usual: 28, tags: ['hair', 'glitter', 'wristband'], until: '+9 d', limit: 80, gone: 52, code: true,
    },
  ],
  'Feuer & Zwiebel Kebab': [
    {
      name: 'Kebab and Ayran after midnight, CHF 12',
      about: 'The full one, in our own bread, with everything.',
      price: '12', chf: 12, usual: 15, tags: ['Kebab', 'late night', 'Döner'], days: 'Sa,Su', hours: '00:00-05:00', until: '+50 d',
    },
    {
      name: 'Lunch box with rice, CHF 13.50',
      about: 'Chicken or falafel, salad, two sauces.',
      price: '13.50', chf: 13.5, usual: 16, tags: ['Zmittag', 'lunch', 'takeaway'], days: 'Mo-Fr', hours: '11:00-14:00', until: '+36 d',
    },
    {
      name: 'Tea on the house',
      about: 'Sit down with a meal and the small glass comes by itself.',
      discount: 'free', chf: 0, tags: ['tea', 'Tee'],
    },
  ],
  'Krua Mondregen': [
    {
      name: 'Green curry to go, CHF 14',
      about: 'Rice below, curry above, basil on top. Say the number of chillies.',
      price: '14', chf: 14, usual: 18, tags: ['Thai', 'takeaway', 'curry'], days: 'Tu-Fr', hours: '11:30-13:45', until: '+27 d',
    },
    {
      name: 'Mango sticky rice with every dinner for two',
      about: 'As long as there are mangoes. Two spoons.',
      discount: 'dessert free', tags: ['Thai', 'vegan', 'dessert'], hours: '18:00-22:00', until: '+19 d', code: true,
    },
    {
      name: 'Auntie’s noodle soup, Saturday special',
      about: 'Twelve hours in the pot. When it is sold, we put out the light.',
      price: '17', chf: 17, usual: 20, tags: ['Thai', 'soup'], state: 'paused', until: '+30 d',
    },
  ],
  'Kiosk Gierseil': [
    {
      name: 'Ferry and an ice, CHF 4.50',
      about: 'A ticket for the crossing and an ice lolly for the three minutes it takes.',
      price: '4.50', chf: 4.5, usual: 6, tags: ['Fähre', 'Glace', 'river'], until: '+23 d',
    },
    {
      name: 'Coffee to watch the ferry by, CHF 3',
      about: 'The bench is free, the cormorants too.',
      price: '3', chf: 3, usual: 4.2, tags: ['Kaffee', 'river'], hours: '09:00-11:00', until: '+40 d',
    },
    {
      name: 'Swim bag for a day',
      about: 'Keeps your clothes dry down to the last bridge. Deposit CHF 20, back by seven.',
      price: '5', chf: 5, tags: ['Rheinschwimmen', 'rental'], category: 'other', until: '+5 h',
    },
  ],
  'Kiosk Nimmermüd': [
    {
      name: 'Phone charged in 20 minutes, free',
      about: 'Buy anything, leave the phone in the locker, come back at 80 per cent.',
      discount: 'free', chf: 0, tags: ['charging', 'late night'],
    },
    {
      name: 'Night soup in a cup, CHF 5',
      about: 'Tomato, pumpkin or bouillon, from the big thermos.',
      price: '5', chf: 5, usual: 6.5, tags: ['soup', 'vegan', 'late night'], category: 'food', hours: '23:00-05:00', until: '+60 d',
    },
    {
      name: 'Rain poncho and earplugs, CHF 7',
      about: 'The two things everybody forgets, in one bag.',
      price: '7', chf: 7, usual: 9.5, tags: ['rain', 'festival', 'Gehörschutz'], until: '+11 d',
    },
  ],
  'Pizzeria Vento di Fiume': [
    {
      name: 'Margherita at the window, CHF 10',
      about: 'Folded in four, eaten standing. Ready in the time the tram needs to come.',
      price: '10', chf: 10, usual: 15, tags: ['Pizza', 'takeaway', 'vegetarian'], days: 'Mo-Th', hours: '18:00-20:00', until: '+48 d',
    },
    {
      name: 'Family table: children’s pizza free',
      about: 'One small pizza for each large one, until seven.',
      discount: 'kids eat free', tags: ['Pizza', 'Familie', 'kids'], days: 'Sa,Su', hours: '12:00-19:00', until: '+34 d',
    },
    {
      name: 'Marinara, vegan since 1734',
      about: 'Tomato, garlic, oregano, nothing else. Today with a small beer.',
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
      name: 'Festival check for your bike, CHF 25',
      about: 'Brakes, lights, chain and air, in half an hour. You will ride home at night.',
      price: '25', chf: 25, usual: 40, tags: ['Velo', 'bike', 'service'], until: '+18 d', limit: 50, gone: 17, code: true,
    },
    {
      name: 'Loan bike while yours is on the stand',
      about: 'Old, heavy, red. It has never let anybody down.',
      discount: 'free', chf: 0, tags: ['Velo', 'rental'], state: 'paused',
    },
  ],
  'Waschsalon Schaumkrone': [
    {
      name: 'Wash and a beer, CHF 11',
      about: 'Six kilos at any temperature, a Stange at four degrees.',
      price: '11', chf: 11, usual: 13.5, tags: ['laundry', 'Bier', 'Waschsalon'], until: '+52 d',
    },
    {
      name: 'Pinball tournament, winner washes free for a month',
      about: 'One machine, three balls, Thursday at seven. Muddy festival clothes get a head start.',
      price: '3', chf: 3, tags: ['pinball', 'Flipper'], days: 'Th', hours: '19:00-22:00', until: '+38 d',
    },
    {
      name: 'Powder refill by the scoop',
      about: 'Bring any jar. Next month, when the new supplier is sure.',
      price: '1', chf: 1, tags: ['zero waste'], state: 'draft',
    },
  ],
  'Blumenstand Mohnschein': [
    {
      name: 'End-of-day bunch, CHF 10',
      about: 'What opened today looks best tonight. Wrapped in newspaper.',
      price: '10', chf: 10, usual: 16, tags: ['flowers', 'Blumen'], days: 'Tu-Fr', hours: '17:30-18:30', until: '+42 d',
    },
    {
      name: 'Flower crown in five minutes',
      about: 'Daisies, ivy, a little wire. Lasts one festival day and one photograph.',
      price: '14', chf: 14, usual: 18, tags: ['flowers', 'festival'], until: '+200 min',
    },
  ],
  'Falafel Fliegenpilz': [
    {
      name: 'Falafel in bread plus lemonade, CHF 12',
      about: 'Seven pieces, five pickles, tahini without limits.',
      price: '12', chf: 12, usual: 15.5, tags: ['vegan', 'Falafel', 'Zmittag'], days: 'Mo-Fr', hours: '11:00-14:30', until: '+46 d',
    },
    {
      name: 'Mezze box for the Birs bank',
      about: 'For two hungry or four polite people. Forks are made of wood.',
      price: '29', chf: 29, usual: 36, tags: ['vegan', 'picnic', 'takeaway'], until: '+9 h', code: true,
    },
  ],
  'Gasthof Zum Müden Maultier': [
    {
      name: 'Cordon bleu Thursday',
      about: 'Ham, mountain cheese, a plate it does not fit on. Half portions exist and are large.',
      price: '27', chf: 27, usual: 34, tags: ['Znacht', 'Schweizer Küche'], days: 'Th', hours: '18:00-22:00', until: '+35 d',
    },
    {
      name: 'Chestnut garden menu, three courses',
      about: 'Was served under the trees until the leaves fell.',
      price: '48', chf: 48, tags: ['garden', 'menu'], from: '-27 d', until: '-6 d',
    },
  ],
  'Käserei Lochgenau': [
    {
      name: 'Raclette for four, weighed and sliced',
      about: 'Eight hundred grams of three kinds, with an oven to borrow.',
      price: '24', chf: 24, usual: 29, tags: ['Käse', 'Raclette', 'vegetarian'], category: 'food', until: '+28 d',
    },
    {
      name: 'End pieces, 20 % off',
      about: 'Same cheese, odd corners. Friday afternoons.',
      discount: '-20%', tags: ['Käse', 'zero waste'], days: 'Fr', hours: '14:00-18:30', until: '+63 d',
    },
  ],
  'Genossenschaft für gemeinsames Kochen, lautes Singen und leise Mitternachtssuppe': [
    {
      name: 'Peel with us at six, eat with us at eight, sing with us at ten, pay as you can',
      about: 'Fifteen aprons hang at the door. Dinner is one pot, the song book has forty pages.',
      discount: 'pay what you can', tags: ['community', 'singing', 'vegetarian'], days: 'Th-Sa', hours: '18:00-22:00', until: '+49 d',
    },
    {
      name: 'Midnight soup for everybody',
      about: 'A ladle, a bowl, a chair. It is never empty before one.',
      discount: 'free', chf: 0, tags: ['soup', 'late night', 'vegan'], days: 'Fr-Su', hours: '00:00-01:00', until: '+49 d',
    },
  ],
  'Tretlager Espresso': [
    {
      name: 'Espresso at the kerb, CHF 2.50',
      about: 'Stop the bike, get a shot. We ring twice if we have time.',
      price: '2.50', chf: 2.5, usual: 3.8, tags: ['Kaffee', 'espresso'], days: 'Mo-Fr', hours: '07:30-09:30', until: '+43 d',
    },
    {
      name: 'Follow the umbrella: tenth coffee free',
      about: 'A stamp card of real cardboard. It survives rain and most pockets.',
      discount: '10th free', tags: ['Kaffee', 'loyalty'],
    },
    {
      name: 'Coffee bike for your street party',
      about: 'Two hours, sixty cups, one cheerful man in a cap.',
      price: '280', chf: 280, usual: 340, tags: ['catering', 'Kaffee'], terms: 'Within Basel. A power socket is not needed.', until: '+68 d', code: true,
    },
  ],
  'Spielwaren Murmelfalle': [
    {
      name: 'A bag of marbles with every game',
      discount: 'free', chf: 0, tags: ['toys', 'Familie', 'kids'], until: '+30 d',
    },
  ],
}
