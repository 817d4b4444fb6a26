import { categories } from '../src/brand/categories.ts'
import { centre, query } from './town.ts'

/** Ids and words of a town that visitors ask for, the most frequent first. */
export interface Known {
  deals: string[]
  merchants: string[]
  words: string[]
}

/** Up to 5,000 deals, 5,000 merchants and 200 words, in the same order in every town of a size. */
export async function knownOf(url: string): Promise<Known> {
  const column = async (text: string) => (await query<{ it: string }>(url, text)).map(({ it }) => it)
  return {
    deals: await column(
      `select deal_id as it from deals where state = 'published' and not sold_out and starts_at is null
      and (ends_at is null or ends_at > now() + interval '1 day') order by md5(deal_name), deal_id limit 5000`,
    ),
    merchants: await column('select business_id as it from businesses order by md5(business_name), slug limit 5000'),
    words: await column('select word as it from search_words where length(word) > 3 order by md5(word) limit 200'),
  }
}

type Random = () => number

/** Random numbers of 48 bits, so that thousands of questions do not repeat. */
function randomFrom(seed: number): Random {
  let state = BigInt(seed) * 7919n + 11n
  return () => {
    state = (state * 0x5deece66dn + 11n) & 0xffffffffffffn
    return Number(state) / 2 ** 48
  }
}

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!

/** Picks by Zipf's law: rank r comes 1/r as often as rank 1. */
const zipf = <T>(random: Random, from: readonly T[]): T => from[Math.floor(from.length ** random()) - 1]!

/** A random place within 30 × 30 km, rounded to about 100 m. */
function place(random: Random) {
  const latitude = (centre.latitude + (random() - 0.5) * 0.27).toFixed(3)
  const longitude = (centre.longitude + (random() - 0.5) * 0.4).toFixed(3)
  return { latitude: Number(latitude), longitude: Number(longitude), asked: `lat=${latitude}&lon=${longitude}` }
}

const category = (random: Random) => pick(random, ['', ...categories])
const third = (random: Random, text: () => string) => (random() < 1 / 3 ? text() : '')
/** A third of the questions has "open now", a third has a word. */
const filters = (random: Random, { words }: Known) =>
  third(random, () => '&openNow=true') + third(random, () => `&q=${encodeURIComponent(pick(random, words))}`)

const search = '/api/deals/search?limit=20'

const questions = {
  search: (random: Random, known: Known) =>
    `${search}&${place(random).asked}&category=${category(random)}${filters(random, known)}`,
  searchForWords: (random: Random, known: Known) =>
    `${search}&${place(random).asked}&category=${pick(random, categories)}&q=${encodeURIComponent(pick(random, known.words))}`,
  searchAtPlace: (random: Random) => `${search}&${place(random).asked}`,
  list: (random: Random, known: Known) => `/api/deals?limit=20&category=${category(random)}${filters(random, known)}`,
  dealPage: (random: Random, { deals }: Known) => `/deal/${zipf(random, deals)}`,
  /** A phone's view, from a part of the town to all of it. */
  map: (random: Random) => {
    const { latitude, longitude, asked } = place(random)
    const high = 0.01 * 16 ** random()
    const box = [longitude - high, latitude - high, longitude + high, latitude + high].map((each) => each.toFixed(4))
    return `/api/deals/search?view=map&compact=true&category=${random() < 0.7 ? '' : pick(random, categories)}&${asked}&bbox=${box.join(',')}`
  },
  home: () => '/',
  merchant: (random: Random, { merchants }: Known) => `/business/${pick(random, merchants)}`,
  item: (random: Random, { deals }: Known) => `/api/deals/${pick(random, deals)}`,
}

export type Question = keyof typeof questions

/** Questions of a festival evening, in percent. */
const evening: [Question, number][] = [
  ['search', 25],
  ['list', 10],
  ['dealPage', 25],
  ['map', 15],
  ['home', 10],
  ['merchant', 10],
  ['item', 5],
]

/** Paths that `visitors` visitors ask for. No search or map view comes twice. */
export function asked(what: Question | 'evening', known: Known, visitors: number, seed: number): string[] {
  const random = randomFrom(seed)
  const before = new Set<string>()
  return Array.from({ length: visitors }, () => {
    const question = what === 'evening' ? questionAt(random() * 100) : what
    let path = questions[question](random, known)
    while (/search/.test(path) && before.has(path)) path = questions[question](random, known)
    before.add(path)
    return path
  })
}

function questionAt(hundredth: number): Question {
  let sum = 0
  return evening.find(([, share]) => hundredth < (sum += share))![0]
}
