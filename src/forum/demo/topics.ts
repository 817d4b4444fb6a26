import type { ForumCategory, PostLanguage } from '../contract.ts'
import type { DemoPersonKey } from './people.ts'

/** By whom, what; how many likes; number of the post that it answers. */
export type DemoPost = readonly [by: DemoPersonKey, body: string, likes?: number, replyTo?: number]

/** A conversation as it was written down. */
export interface DemoTopic {
  in: ForumCategory
  title: string
  lang: PostLanguage
  tags?: string[]
  pinned?: true
  locked?: true
  /** Number of the post that solved it. */
  solved?: number
  /** What the demo makes the id of the event or deal from. */
  about?: { kind: 'event' | 'deal'; name: string }
  posts: readonly DemoPost[]
}

/** Sixty conversations about the demo's programme and deals, newest first, in three languages. */
export const demoTopics: readonly DemoTopic[] = [
  {
    in: 'announcements',
    title: 'Welcome to the forum: how we talk here',
    lang: 'en',
    tags: ['rules'],
    pinned: true,
    posts: [
      [
        'team',
        'Good to have you here. Three things keep this place friendly:\n\n1. **Be kind.** Everybody is here for the music.\n2. **One topic, one question.** Mark the answer that helped as the solution.\n3. **Report, don’t argue.** Flags go to people, not to a machine.\n\nLost something? There is a category for that, and somebody finds phones every night.',
        31,
      ],
      ['lena', 'Thank you for keeping the lights on.', 6],
      ['theo', 'Est-ce qu’on peut écrire en français ici ?', 2],
      ['team', 'Bien sûr : chaque message a sa langue, et tu peux filtrer.', 9, 3],
    ],
  },
  {
    in: 'help',
    title: 'Where is the queue shortest right now?',
    lang: 'en',
    tags: ['queue', 'food'],
    solved: 3,
    about: { kind: 'deal', name: 'deal Café Morgenblau Cold brew for the queue' },
    posts: [
      [
        'priya',
        'Standing near the Mittlere Brücke and every stall has forty people in front of it. Any hidden corner?',
        4,
      ],
      ['noah', 'Same. The falafel line has its own weather by now.', 8],
      [
        'beat',
        'Walk **three minutes upstream** on the Kleinbasel side. After the ferry landing nobody queues, and there is soup.',
        17,
      ],
      ['priya', 'Soup in hand after four minutes. You are a hero.', 6, 3],
      ['sofia', 'And if you must stay in line: the café hands out cold brew to people who wait.', 5],
    ],
  },
  {
    in: 'lost-found',
    title: 'Schwarzes Handy am Rheinbord gefunden',
    lang: 'de',
    tags: ['handy'],
    posts: [
      [
        'beat',
        'Liegt bei der Buvette an der Theke. Hülle mit einem Aufkleber von einem Fuchs. Wer das Hintergrundbild beschreibt, bekommt es.',
        12,
      ],
      ['nina', 'Das ist meins!! Hintergrund ist ein Hund mit Sonnenbrille.'],
      ['beat', 'Stimmt genau. Steht für dich bereit, Nina.', 9, 2],
      ['nina', 'Danke, danke, danke. Ich bring dir ein Bier.', 7],
    ],
  },
  {
    in: 'line-up',
    title: 'Northern Ferry tonight: worth leaving dinner for?',
    lang: 'en',
    tags: ['northern-ferry'],
    posts: [
      ['marc', 'I know two songs and like both. Never saw them live.'],
      ['lena', 'Go. They start quietly and end with the whole bank singing. I saw them twice.', 11],
      ['jonas', 'Agreed. Stand on the left, the sound is better away from the wall.', 6],
      ['priya', 'Left it is, see you there.', 2, 3],
    ],
  },
  {
    in: 'getting-around',
    title: 'Dernier tram vers Saint-Louis ?',
    lang: 'fr',
    tags: ['tram', 'nuit'],
    solved: 2,
    posts: [
      ['camille', 'On rentre à quatre après le concert de Mira Solé. Est-ce que le 3 roule encore après minuit ?'],
      [
        'theo',
        'Oui, pendant le festival il roule jusqu’à deux heures, toutes les quinze minutes. Ensuite c’est le bus de nuit.',
        10,
      ],
      ['camille', 'Parfait, merci !', 1, 2],
    ],
  },
  {
    in: 'meet-ups',
    title: 'Gehen um 20:00 zu fünft ans Rheinbord, wer kommt mit?',
    lang: 'de',
    tags: ['treffen'],
    posts: [
      [
        'amira',
        'Wir sind zwischen 25 und 60, bringen eine Decke und zu viele Oliven mit. Treffpunkt beim Lampionstand.',
        9,
      ],
      ['urs', 'Ich bin 61. Geht das noch?', 15],
      ['amira', 'Du bringst den Wein, dann gehen auch 62.', 21, 2],
      ['elif', 'Komme nach acht dazu, mit Fladenbrot.', 4],
      ['sofia', 'Can I join with school German?', 3],
      ['amira', 'Sure, olives have no language.', 8, 5],
    ],
  },
  {
    in: 'food-deals',
    title: 'Bestes Frühstück mit Bändel?',
    lang: 'de',
    tags: ['frühstück'],
    about: { kind: 'deal', name: 'deal Café Morgenblau Wristband breakfast' },
    posts: [
      ['elif', 'War jemand schon am Morgen mit dem Festivalbändel frühstücken? Lohnt sich das?'],
      [
        'jonas',
        'Ja. Gipfeli, Ei, Kaffee, und man sitzt in der Sonne. Um neun gab es noch Platz, um zehn nicht mehr.',
        8,
      ],
      ['cafe', 'Kleiner Tipp von nebenan: Wer nach der Nachtschicht kommt, bekommt bei uns das Wasser zuerst.', 3],
    ],
  },
  {
    in: 'line-up',
    title: 'Zwischenton beginnt 20 Minuten später',
    lang: 'de',
    tags: ['zwischenton'],
    posts: [
      ['noah', 'Stand eben auf der Tafel: 20:20 statt 20:00. Also noch Zeit für eine Bratwurst.', 7],
      ['urs', 'Danke! Ich renne nicht mehr.', 4],
    ],
  },
  {
    in: 'help',
    title: 'Is there anywhere quiet for a child of three?',
    lang: 'en',
    tags: ['family', 'quiet'],
    solved: 2,
    posts: [
      ['sofia', 'Ours loves the drums and then, very suddenly, does not.'],
      [
        'team',
        'Yes: the courtyard behind the children’s stage has shade, mats and a water tap, and no loudspeaker points there. Ear protectors are at the info desk, free to borrow.',
        14,
      ],
      ['sofia', 'We borrowed a pair. Small blue ones, a great success.', 5, 2],
    ],
  },
  {
    in: 'line-up',
    title: 'Mira Solé : quelle chanson en rappel ?',
    lang: 'fr',
    tags: ['mira-solé'],
    about: { kind: 'event', name: 'event 0 rhine Mira Solé' },
    posts: [
      ['camille', 'Hier elle a fini avec « Les lampes du quai », a cappella. Toute la rive se taisait.', 13],
      ['theo', 'J’ai eu des frissons. Le micro était coupé, non ?', 4],
      ['camille', 'Oui, elle l’a posé par terre exprès.', 6, 2],
      ['marc', 'J’étais au bar. Je ne me le pardonne pas.', 9],
    ],
  },
  {
    in: 'food-deals',
    title: 'Vegan after midnight: a list',
    lang: 'en',
    tags: ['vegan', 'late'],
    posts: [
      [
        'priya',
        'Collecting what is still open and vegan after twelve:\n\n- falafel by the bridge\n- the ramen place has a mushroom broth until one\n- midnight sorbet\n\nWhat did I miss?',
        12,
      ],
      ['noah', 'The Ethiopian platter, if you get there before the kitchen closes.', 6],
      ['elif', 'Börek with potato at the kebab stand. Ask for the one without cheese.', 5],
      ['priya', 'Added both.', 1],
    ],
  },
  {
    in: 'getting-around',
    title: 'Wo kann ich das Velo sicher abstellen?',
    lang: 'de',
    tags: ['velo'],
    solved: 2,
    posts: [
      ['jonas', 'Letztes Jahr war am Rheinbord alles voll und meins lag am Morgen unter sieben anderen.'],
      ['urs', 'Bewachte Velostation beim Kasernenplatz, bis 3 Uhr, fünf Franken. Und die Werkstatt pumpt gratis.', 11],
      ['jonas', 'Top, danke dir.', 1, 2],
    ],
  },
  {
    in: 'meet-ups',
    title: 'Chorprobe am Wasser, Mitsingen erwünscht',
    lang: 'de',
    tags: ['singen'],
    posts: [
      ['urs', 'Der Rheinschwimmer-Chor probt am Nachmittag auf den Stufen. Wer singen will, stellt sich dazu.', 10],
      ['lena', 'Braucht man Noten?', 1],
      ['urs', 'Man braucht Mut und ein Badetuch.', 16, 2],
    ],
  },
  {
    in: 'lost-found',
    title: 'Lost: one red scarf, a lot of history',
    lang: 'en',
    tags: ['scarf'],
    posts: [
      ['sofia', 'Knitted by my grandmother, about two metres long, last seen dancing at Balkan Bicycle Club.'],
      ['marc', 'There was a red scarf on the railing by the stage around one. It looked cared for.', 5],
      ['sofia', 'The bar has it. I am not crying, you are.', 14, 2],
    ],
  },
  {
    in: 'announcements',
    title: 'Hochwasser: der unterste Uferweg ist bis Mittag gesperrt',
    lang: 'de',
    tags: ['wichtig'],
    locked: true,
    posts: [
      [
        'team',
        'Der Rhein steht etwas höher als erwartet. Der unterste Weg zwischen Fähre und Brücke bleibt bis **12 Uhr** gesperrt. Alle Bühnen spielen wie geplant; bitte nehmt die obere Strasse.',
        18,
      ],
      ['team', 'Update: Der Weg ist wieder offen. Danke fürs Mitmachen.', 22],
    ],
  },
  {
    in: 'help',
    title: 'Kann ich mit Karte zahlen oder brauche ich Bargeld?',
    lang: 'de',
    tags: ['bezahlen'],
    solved: 2,
    posts: [
      ['nina', 'Erstes Mal hier. Nehmen alle Stände Karten?'],
      ['beat', 'Fast alle, und Twint sowieso. Für die Fähre hab ich immer zwei Franken dabei.', 9],
      ['nina', 'Danke!', 0, 2],
    ],
  },
  {
    in: 'line-up',
    title: 'Ina Tief b2b DJ Méandre, how was it?',
    lang: 'en',
    tags: ['club', 'late'],
    posts: [
      ['noah', 'I left at three with one shoe wet and no regrets.', 13],
      ['marc', 'The part around two, when it got slow for ten minutes and nobody moved. That.', 9],
      ['elif', 'Sound in the back corner was muddy, but the front was perfect.', 3],
    ],
  },
  {
    in: 'food-deals',
    title: 'Bouillon de minuit, ça existe encore ?',
    lang: 'fr',
    tags: ['soupe'],
    posts: [
      [
        'theo',
        'L’an dernier il y avait une soupe gratuite vers minuit près de la caserne. Quelqu’un l’a vue cette année ?',
      ],
      ['camille', 'Oui, la coopérative la sert encore. Il faut chanter un refrain, c’est la règle.', 11],
      ['theo', 'Je m’entraîne.', 8, 2],
    ],
  },
  {
    in: 'getting-around',
    title: 'How late do the ferries run?',
    lang: 'en',
    tags: ['ferry'],
    solved: 2,
    posts: [
      ['priya', 'I would love to cross under the stars.'],
      [
        'beat',
        'Until ten on festival nights. They go by the current alone, so high water can end it earlier. Take two francs.',
        12,
      ],
      ['priya', 'Did it. Best two francs of the year.', 6, 2],
    ],
  },
  {
    in: 'meet-ups',
    title: 'On cherche une quatrième personne pour la pétanque',
    lang: 'fr',
    tags: ['jeux'],
    posts: [
      ['marc', 'Place ombragée, deux équipes, zéro niveau. À dix-sept heures.', 4],
      ['camille', 'J’arrive avec des boules en plastique, ça compte ?', 6],
      ['marc', 'Ça compte double.', 7, 2],
    ],
  },
  {
    in: 'line-up',
    title: 'Trio Tramlinie 8 spielt heute zweimal',
    lang: 'de',
    tags: ['jazz'],
    posts: [
      ['urs', 'Einmal Kaffee und Kontrabass am Mittag, einmal am Abend. Mittags sitzt man, abends steht man.', 6],
      ['lena', 'Ich sitze lieber.', 4],
    ],
  },
  {
    in: 'help',
    title: 'My saved deals are gone after clearing the browser',
    lang: 'en',
    tags: ['account'],
    solved: 2,
    posts: [
      ['marc', 'I cleared everything because the phone was full, and my saved list is empty.'],
      [
        'team',
        'Without an account the list lives in your browser only, so it went with the rest. With an account it stays, also on a new phone.',
        10,
      ],
      ['marc', 'Understood. Account made.', 1, 2],
    ],
  },
  {
    in: 'food-deals',
    title: 'Ramen-Schlange: gibt es eine gute Zeit?',
    lang: 'de',
    tags: ['ramen', 'queue'],
    posts: [
      ['amira', 'Gestern 50 Minuten. Gut, aber 50 Minuten.'],
      ['elif', 'Vor 18 Uhr oder während der Headliner. Dann steht niemand an.', 8],
      ['noah', 'Bestätigt: während Soraya Keller in vier Minuten drin.', 7, 2],
    ],
  },
  {
    in: 'lost-found',
    title: 'Trouvé : un trousseau de clés avec un petit canard',
    lang: 'fr',
    tags: ['clés'],
    posts: [
      ['camille', 'Sous un banc près du bac. Je l’ai donné au stand d’information.', 9],
      ['team', 'Le canard est chez nous, il va bien. On le rend contre une description des clés.', 12, 1],
    ],
  },
  {
    in: 'meet-ups',
    title: 'Board games at the café when it rains',
    lang: 'en',
    tags: ['rain', 'games'],
    posts: [
      ['sofia', 'Saturday looks grey until four. I have three games and a table for six.', 7],
      ['jonas', 'In, if one of them is short.', 2],
      ['priya', 'In, if one of them is long.', 5],
      ['sofia', 'One short, one long, one that ends friendships.', 12],
    ],
  },
  {
    in: 'line-up',
    title: 'Kinderdisco: ab welchem Alter?',
    lang: 'de',
    tags: ['kinder'],
    posts: [
      ['elif', 'Unsere ist vier und tanzt zu allem, auch zum Geschirrspüler.'],
      ['team', 'Ab drei, mit einer erwachsenen Person. Gehörschutz gibt es am Eingang.', 8],
    ],
  },
  {
    in: 'getting-around',
    title: 'Step-free way from the bridge to the Kaserne stage?',
    lang: 'en',
    tags: ['access'],
    solved: 2,
    posts: [
      ['urs', 'My mother comes with a wheelchair on Saturday.'],
      [
        'team',
        'Take the upper street, then the ramp beside the courtyard gate. There is a platform with a view on the left of the stage; the people in yellow open it for you.',
        16,
      ],
      ['urs', 'Thank you, that is good to know before she asks.', 3, 2],
    ],
  },
  {
    in: 'food-deals',
    title: 'Gelato ranking, very scientific',
    lang: 'en',
    tags: ['gelato'],
    posts: [
      [
        'lena',
        'After six visits:\n\n1. pistachio\n2. lemon and basil\n3. whatever the child in front of you takes\n\nThird scoop is on the house at the moment.',
        14,
      ],
      ['theo', 'La noisette mérite mieux que rien.', 4],
      ['lena', 'Fair. Fourth place, with respect.', 5, 2],
    ],
  },
  {
    in: 'help',
    title: 'Wie ändere ich meinen Anzeigenamen?',
    lang: 'de',
    tags: ['konto'],
    solved: 2,
    posts: [
      ['nina', 'Ich habe mich vertippt und heisse jetzt Ninna.'],
      ['team', 'Unter Einstellungen, ganz oben. Hier im Forum ändert sich der Name sofort mit.', 5],
    ],
  },
  {
    in: 'line-up',
    title: 'Balkan Bicycle Club: bring earplugs or courage?',
    lang: 'en',
    tags: ['brass'],
    posts: [
      ['jonas', 'Asking for a friend who stands in the first row.'],
      ['noah', 'Both. And a bell.', 11],
      ['sofia', 'They stop if you ring in the wrong bar. I tried.', 9, 2],
    ],
  },
  {
    in: 'meet-ups',
    title: 'Rheinschwimmen am Sonntagmorgen',
    lang: 'de',
    tags: ['schwimmen'],
    posts: [
      ['beat', 'Acht Uhr, Einstieg beim Museum. Nur wer sicher schwimmt, mit Schwimmsack. Danach Kaffee.', 13],
      ['amira', 'Dabei. Wie kalt?', 1],
      ['beat', 'Ehrlich.', 18, 2],
    ],
  },
  {
    in: 'food-deals',
    title: 'Quel vin avec une raclette à vingt-trois heures ?',
    lang: 'fr',
    tags: ['vin', 'fromage'],
    posts: [
      ['theo', 'Question de principe.'],
      ['marc', 'Un blanc sec de la région, et surtout un deuxième verre.', 6],
      ['camille', 'Du thé. Vraiment. Essaie.', 9],
    ],
  },
  {
    in: 'lost-found',
    title: 'Jacke vertauscht: meine ist blau mit einem Loch',
    lang: 'de',
    tags: ['jacke'],
    posts: [
      ['jonas', 'Am Ausgang vom Keller habe ich eine blaue Jacke ohne Loch mitgenommen. Sehr schön, aber nicht meine.'],
      ['marc', 'Ich habe ein Loch zu viel. Ich glaube, wir müssen reden.', 20],
      ['jonas', 'Morgen um zwölf beim Brunnen?', 2, 2],
    ],
  },
  {
    in: 'getting-around',
    title: 'Where to park a van with a double bass inside?',
    lang: 'en',
    posts: [
      ['noah', 'We play on the small stage and the map says no cars at all.'],
      ['team', 'Artists unload at the north gate from two to five. Say your band’s name; the pass is there.', 6],
    ],
  },
  {
    in: 'line-up',
    title: 'Les Nuits Bleues, on se retrouve devant ?',
    lang: 'fr',
    posts: [
      ['theo', 'Je suis toujours à droite de la console, avec une casquette ridicule.', 3],
      ['camille', 'Tu as *toujours* une casquette ridicule.', 10, 1],
    ],
  },
  {
    in: 'help',
    title: 'Can I come back in after leaving the club night?',
    lang: 'en',
    solved: 2,
    posts: [
      ['priya', 'I need air and a kebab, in that order.'],
      ['team', 'Yes, with the stamp and until two. After that it is one way.', 7],
    ],
  },
  {
    in: 'food-deals',
    title: 'Käse um Mitternacht, wer noch?',
    lang: 'de',
    tags: ['fondue'],
    posts: [
      ['beat', 'Fondue im Sommer ist kein Fehler, es ist eine Haltung.', 15],
      ['urs', 'Endlich sagt es jemand.', 9],
      ['lena', 'I will never understand this city, and I love it.', 11],
    ],
  },
  {
    in: 'meet-ups',
    title: 'Photo walk at blue hour',
    lang: 'en',
    tags: ['photo'],
    posts: [
      ['sofia', 'Lanterns, river, people. Any camera counts. We start at the ferry landing.', 8],
      ['elif', 'I bring a tripod and no patience.', 5],
    ],
  },
  {
    in: 'announcements',
    title: 'La fanfare du matin change de rive',
    lang: 'fr',
    locked: true,
    posts: [['team', 'Les « Brückenbläser » jouent demain côté Grand-Bâle, sous les tilleuls. Même heure.', 9]],
  },
  {
    in: 'line-up',
    title: 'Wer war gestern bei Hochwasser?',
    lang: 'de',
    posts: [
      ['elif', 'Die Band, nicht das Wetter.', 12],
      ['noah', 'Ich. Der Schlagzeuger hat einen Becken-Ständer verloren und einfach weitergelacht.', 8],
      ['amira', 'Bestes Konzert bisher.', 4],
    ],
  },
  {
    in: 'getting-around',
    title: 'Nachtbus Richtung Liestal, wo hält der?',
    lang: 'de',
    solved: 2,
    posts: [
      ['nina', 'An meiner alten Haltestelle steht eine Bühne.'],
      ['jonas', 'Verlegt an den Claraplatz, Kante C. Hängt ein gelbes Schild.', 6],
    ],
  },
  {
    in: 'help',
    title: 'Refill stations for water?',
    lang: 'en',
    tags: ['water'],
    solved: 2,
    posts: [
      ['marc', 'It is warm and I own a bottle.'],
      [
        'beat',
        'Every fountain in Basel is drinking water unless a sign says otherwise. You are surrounded by refill stations.',
        23,
      ],
      ['marc', 'This changes everything.', 12, 2],
    ],
  },
  {
    in: 'food-deals',
    title: 'Kaffee vor acht Uhr, wo?',
    lang: 'de',
    tags: ['kaffee'],
    posts: [
      ['urs', 'Ich wache mit den Schiffen auf.'],
      ['cafe', 'Bei uns am Fähristeg ab sechs. Wer den Schiffsnamen weiss, bekommt das Gipfeli dazu.', 10],
    ],
  },
  {
    in: 'lost-found',
    title: 'Found: a trombone mouthpiece',
    lang: 'en',
    posts: [
      ['noah', 'Somebody is playing much more quietly than planned.', 17],
      ['beat', 'I heard the gap in the second chorus. Ask the brass band at noon.', 6],
    ],
  },
  {
    in: 'meet-ups',
    title: 'Sprachtandem am Rand: Deutsch, Französisch, Englisch',
    lang: 'de',
    posts: [
      ['camille', 'Ich spreche Französisch und übe Deutsch. Ein Getränk lang jede Sprache.', 7],
      ['amira', 'Super Idee. Donnerstag?', 2],
      ['camille', 'Donnerstag, um sieben, mit Brezel.', 3, 2],
    ],
  },
  {
    in: 'line-up',
    title: 'Soraya Keller or Kollektiv Strömung? They clash',
    lang: 'en',
    posts: [
      ['lena', 'I cannot be on two banks at once.'],
      ['priya', 'First half here, ferry, second half there. Seven minutes if the current is kind.', 9],
      ['urs', 'The current is never in a hurry.', 8],
    ],
  },
  {
    in: 'help',
    title: 'Comment recevoir les nouvelles d’un sujet ?',
    lang: 'fr',
    solved: 2,
    posts: [
      ['theo', 'Je voudrais suivre un sujet sans revenir toutes les dix minutes.'],
      [
        'team',
        'Chaque sujet et chaque catégorie ont un flux RSS, en bas de page. Et les sujets lus montrent ce qui est nouveau.',
        5,
      ],
    ],
  },
  {
    in: 'food-deals',
    title: 'Zwei Platten zahlen, drei bekommen: lohnt sich das?',
    lang: 'de',
    tags: ['vinyl'],
    about: { kind: 'deal', name: 'deal Rillengrund Schallplatten Three used records, pay two' },
    posts: [
      ['jonas', 'Hab Jazz, Jazz und aus Versehen Schlager erwischt.', 6],
      ['elif', 'Der Schlager ist das Beste daran.', 10],
    ],
  },
  {
    in: 'getting-around',
    title: 'Combien de temps à pied entre les deux rives ?',
    lang: 'fr',
    posts: [
      ['marc', 'Entre la scène du Rhin et la caserne, à vue de nez ?'],
      ['camille', 'Huit minutes par le pont, douze si tu t’arrêtes pour regarder l’eau. Tu t’arrêteras.', 9],
    ],
  },
  {
    in: 'line-up',
    title: 'Ada Brunner: will there be a recording?',
    lang: 'en',
    posts: [
      ['sofia', 'The second set was something else.'],
      ['noah', 'There was a van with a dish. So maybe the radio.', 3],
    ],
  },
  {
    in: 'meet-ups',
    title: 'Allein unterwegs: wer teilt eine Decke?',
    lang: 'de',
    posts: [
      ['nina', 'Bin das erste Mal allein an einem Festival und etwas schüchtern.', 11],
      ['amira', 'Blaue Decke, links vom Lampionstand. Setz dich einfach.', 14],
      ['nina', 'Danke. Bis später!', 5, 2],
    ],
  },
  {
    in: 'lost-found',
    title: 'Brille mit runden Gläsern vermisst',
    lang: 'de',
    posts: [
      ['theo', 'Ohne sehe ich alle Konzerte als Aquarell.', 13],
      ['team', 'Am Infostand liegen drei Brillen. Eine ist rund. Schau vorbei, wenn du hinfindest.', 19],
    ],
  },
  {
    in: 'help',
    title: 'Do dogs get in?',
    lang: 'en',
    solved: 2,
    posts: [
      ['priya', 'He is small, calm and has opinions about brass.'],
      ['team', 'On the river stages yes, on a leash. Not into the halls: it is too loud for him there.', 6],
    ],
  },
  {
    in: 'food-deals',
    title: 'Le café le moins cher près du Rhin',
    lang: 'fr',
    about: { kind: 'deal', name: 'deal Café Morgenblau Second coffee for one franc' },
    posts: [
      ['camille', 'Deuxième café à un franc. J’en suis au quatrième.', 8],
      ['theo', 'Ça explique la vitesse de tes messages.', 11],
    ],
  },
  {
    in: 'line-up',
    title: 'Glasshouse im Hafen: früh da sein?',
    lang: 'de',
    posts: [
      ['amira', 'Letztes Mal war um 19:30 voll.'],
      ['noah', 'Geh um 19:00 und nimm die Treppe rechts.', 5],
    ],
  },
  {
    in: 'getting-around',
    title: 'Taxi boats: real or a rumour?',
    lang: 'en',
    posts: [
      ['marc', 'Somebody told me with great confidence.'],
      ['beat', 'Rumour. The ferries are real, and better.', 10],
    ],
  },
  {
    in: 'meet-ups',
    title: 'Volunteers’ breakfast, Sunday ten o’clock',
    lang: 'en',
    posts: [
      ['team', 'For everybody who carried, counted, poured or pointed. Bring your vest, keep your seat.', 15],
      ['urs', 'I pointed a lot.', 12],
    ],
  },
  {
    in: 'help',
    title: 'Gibt es Schliessfächer?',
    lang: 'de',
    solved: 2,
    posts: [
      ['nina', 'Rucksack ist schwer, Nacht ist lang.'],
      ['urs', 'Am Badischen Bahnhof und bei der Garderobe vom Keller, dort bis drei.', 4],
    ],
  },
  {
    in: 'line-up',
    title: 'First festival ever: three things not to miss?',
    lang: 'en',
    tags: ['tips'],
    posts: [
      ['priya', 'I have one evening and comfortable shoes.', 6],
      ['lena', 'The lanterns at nine, whoever plays on the raft, and the ferry back.', 13],
      ['jonas', 'A seat on the steps before the sun goes. Then stay put: it all comes past.', 10],
      ['theo', 'La soupe de minuit.', 8],
    ],
  },
  {
    in: 'food-deals',
    title: 'Pizza by the slice near the harbour?',
    lang: 'en',
    posts: [
      ['noah', 'Hungry people in sector C, please advise.'],
      ['elif', 'Behind the second crane, there is a window. Knock.', 7],
    ],
  },
]
