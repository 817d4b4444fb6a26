import { guessLanguage as guess } from '../../kit/server/guess-language.ts'
import { postLanguages, type PostLanguage } from '../contract.ts'

/** The language of a text; `otherwise` for a very short or mixed text. */
export function guessLanguage(text: string, otherwise: string): PostLanguage {
  return guess(text, postLanguages) ?? postLanguages.find((language) => language === otherwise) ?? 'en'
}
