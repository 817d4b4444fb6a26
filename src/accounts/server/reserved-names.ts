import { skeletonOf } from '../../kit/shared/name-skeleton.ts'

/**
 * Whether a name looks official: it contains the festival's name or a role, or consists only of words like "team" and "support".
 * Short words must match whole words, longer ones match anywhere.
 */
export function looksOfficial(name: string, festivalName: string): boolean {
  // "AdminAnna" is read as "Admin Anna".
  const words = name
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .split(/[^\p{L}\p{M}\p{N}@$|]+/u)
    .filter((word) => word !== '')
  return [words, words.map((word) => word.replace(/^[@\p{N}]+|\p{N}+$/gu, ''))].some((each) => {
    const skeletons = each.map(skeletonOf).filter((word) => word !== '')
    return (
      [festivalName, ...roleWords].some((reserved) => holds(skeletons, skeletonOf(reserved))) ||
      teamWords.has(skeletons.join('')) ||
      (skeletons.some((word) => teamWords.has(word)) &&
        skeletons.every((word) => teamWords.has(word) || smallWords.has(word)))
    )
  })
}

const shortLength = 7

function holds(words: string[], reserved: string): boolean {
  if (reserved === '') return false
  if (reserved.length > shortLength) return words.join('').includes(reserved)
  // Also joined: "A d m i n", or a festival's name of two short words.
  return words.some((_, from) => words.some((__, to) => words.slice(from, to + 1).join('') === reserved))
}

/** In English, German and French. From eight letters on they also match longer forms (moderators, Moderatorin). */
const roleWords = [
  'admin',
  'admins',
  'administrator',
  'administrateur',
  'administratrice',
  'moderator',
  'moderateur',
  'moderatrice',
  'organiser',
  'organizer',
  'organisator',
  'organisateur',
  'organisatrice',
  'veranstalter',
  'staff',
  'festivalteam',
  'festivalleitung',
]

/** Words that claim to speak for the festival. */
const teamWords = new Set(
  [
    ...'team crew support help helpdesk info official security mod mods moderation'.split(' '),
    ...'organisation organization administration festival operator system root'.split(' '),
    ...'hilfe leitung offiziell sicherheit personal verwaltung'.split(' '),
    ...'aide officiel equipe direction personnel securite'.split(' '),
  ].map(skeletonOf),
)

const smallWords = new Set(
  ['the', 'from', 'of', 'das', 'der', 'die', 'vom', 'von', 'le', 'la', 'les', 'l', 'de', 'du', 'd'].map(skeletonOf),
)
