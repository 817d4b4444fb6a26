import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/**
 * Phrases that read translated and were replaced; they must not come back. Texts that the specification quotes are written as
 * there and are not among them.
 */
const replaced = {
  en: [
    // for engineers
    'waits for nothing that it could have done while it waited',
    'own look at a deal is no click in their figures',
    'what has run out',
    'however much it is',
    'drawn by lot',
    'stands for all',
    'every how-many-th row',
    'not that anybody knows',
    'what waits in tables and has no job',
    'own noes',
    'state that passes',
    'screens that have not come yet fetch themselves',
    // for visitors and merchants
    'will stand here',
    'This place waits for',
    'Present password',
    'Your account is going',
    'One tap is missing',
    'Nothing here says',
    'This link is not whole',
    'has not come yet',
    'You get to <link>',
    'You get to User Login',
    'had come to its end',
    'keeps no data for this site',
    'good for nothing',
    'Out with one click',
    'As it stands above your door',
    'Everything is open now',
    'has a slip in it',
    'You come back to this deal',
    'What comes meanwhile',
    'deals that are there again',
    'A new one counts',
    'knows who you are',
    'e-mail',
    // signs that a usual word is missing
    'whoever',
    'by lot',
    'come to its end',
    'not whole',
    'noes',
    // the specification says "My Favorites"
    'favourite',
    'favourites',
  ],
  de: [
    'Ein Tipp fehlt noch',
    'Geschäft anmelden',
    'Öffnet bald',
    'Dieser Platz wartet auf',
    'steht nirgends',
    'Bitte in den E-Mails nachsehen',
    'Getipptes',
    'Getippte',
    'Ein Link gilt einmal',
    'Tabellen für Ihre Bücher',
    'Bezahlte Plätze sagen',
    'Menschencheck',
    'Wohin damit',
    'nennen keinen Ort',
    // one word for one thing: Deal, Betrieb, Route, Min., Pin, Merkliste, Event, Handy
    'Geschäft',
    'Geschäfte',
    'Geschäftskonto',
    'Angebote und Deals',
    'Ihre Angebote',
    'min zu Fuss',
    'min vorher',
    'Nadel',
    'Favoriten',
    'Veranstaltung',
    'Veranstaltungen',
    'Anlass aus dem Programm',
    'diesem Telefon',
    'dein Telefon',
    'Dieses Telefon',
  ],
  fr: [
    'les hôtes',
    'vos hôtes',
    'Cette place attend',
    'Un e-mail attend',
    'À remplir',
    'À accepter',
    'À saisir',
    'Réessayer dans',
    'Réessayer quand',
    'Connexion public',
    'compte de commerce',
    'Rien ne dit',
    'Encaisser',
    'tableaux pour vos livres',
    'Un lien vaut',
    'a des gens',
    'Tu es déjà connecté',
    'Vous êtes déjà connecté',
    'Tu as été déconnecté',
    'Vous avez été déconnecté',
    'Ouvre {time}',
    'Passer la carte',
    'Finit bientôt',
  ],
}

/** Texts that were a single word: the kind of an account, and the way to a deal. */
const wholeTexts = { de: ['Besuch', 'Weg'], fr: [] }

const root = new URL('..', import.meta.url).pathname
const files = (pattern: string) => globSync(pattern, { cwd: root }).sort()
// migrations are released as they are
const sources = files('{src,test,scripts,bench}/**/*.{ts,tsx}').filter((file) => file !== 'test/language.test.ts')
const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...files('docs/**/*.md')]
const messages = (locale: string) => [`messages/${locale}.json`, ...files(`messages/*/${locale}.json`)]

/** Phrases that a screen may not say, and engineers may. */
const ofScreens = ['e-mail', 'favourite', 'favourites']
/** Usual English between engineers. */
const amongEngineers = [...ofScreens, 'whoever']

/** Without hyphenation, and with plain single spaces, so that a phrase is found across lines. */
const text = (file: string) => readFileSync(`${root}${file}`, 'utf8').replaceAll('\u00AD', '').replaceAll(/\s+/g, ' ')

/** German and French begin an order with a capital: "À saisir : …" is one, "clé à saisir" is not. */
const found = (content: string, phrases: string[], flags: 'iu' | 'u') =>
  phrases.filter((phrase) => new RegExp(`(?<!\\p{L})${RegExp.escape(phrase)}(?!\\p{L})`, flags).test(content))

describe('no phrase that was replaced comes back', () => {
  it.each([...documents, ...messages('en')])('in %s', (file) => {
    const phrases = file.endsWith('.md') ? replaced.en.filter((phrase) => !ofScreens.includes(phrase)) : replaced.en
    expect(found(text(file), phrases, 'iu')).toEqual([])
  })

  it.each((['de', 'fr'] as const).flatMap((locale) => messages(locale).map((file) => [file, locale] as const)))(
    'in %s',
    (file, locale) => {
      const content = text(file)
      expect(found(content, replaced[locale], 'u')).toEqual([])
      expect(wholeTexts[locale].filter((word) => content.includes(`"${word}"`))).toEqual([])
    },
  )
})

it('no phrase that was replaced comes back in comments, test titles and texts of the API', () => {
  const phrases = replaced.en.filter((phrase) => !amongEngineers.includes(phrase))
  const coming = sources.flatMap((file) => {
    // a comment goes on behind the sign at the beginning of its next line
    const content = readFileSync(`${root}${file}`, 'utf8').replaceAll(/\n\s*(?:\*|\/\/) /g, ' ')
    return found(content.replaceAll(/\s+/g, ' '), phrases, 'iu').map((phrase) => `${file}: ${phrase}`)
  })
  expect(coming).toEqual([])
})

describe('French', () => {
  it.each(messages('fr'))('%s has a space that does not break before : ; ? ! and inside « »', (file) => {
    const content = readFileSync(`${root}${file}`, 'utf8')
    expect(content.match(/.{0,20}(?: [:;?!»]|« ).{0,10}/gu) ?? []).toEqual([])
  })
})
