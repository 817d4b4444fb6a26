import { guessLanguage as guess } from '../../kit/server/guess-language.ts'
import { postLanguages, type PostLanguage } from '../contract.ts'

/** The language that a text is in; of a very short or mixed one, `otherwise`. */
export function guessLanguage(text: string, otherwise: string): PostLanguage {
  return guess(text, postLanguages) ?? postLanguages.find((language) => language === otherwise) ?? 'en'
}
