import { detectAll } from 'tinyld/light'
import { postLanguages, type PostLanguage } from '../contract.ts'

/** Below this the guesser says no more than chance. */
const surelyEnough = 0.25
const lettersAtLeast = 12
/** The beginning of a text tells its language. */
const lookedAt = 1000

/** The language that a text is in; of a very short or mixed one, `otherwise`. */
export function guessLanguage(text: string, otherwise: string): PostLanguage {
  const fallback = postLanguages.find((language) => language === otherwise) ?? 'en'
  const words = text
    .slice(0, lookedAt)
    .replace(/https?:\/\/\S+|@[\w-]+/g, ' ')
    .trim()
  if (words.replace(/[^\p{L}]/gu, '').length < lettersAtLeast) return fallback
  const [best] = detectAll(words, { only: [...postLanguages] })
  if (!best || best.accuracy < surelyEnough) return fallback
  return postLanguages.find((language) => language === best.lang) ?? fallback
}
