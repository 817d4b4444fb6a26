import type { LoaderFunctionArgs } from 'react-router'
import { fold } from '../../../kit/shared/search-fold.ts'
import { isSmallWord } from '../../../places/needs.ts'
import { loadInfo, translator, type Section } from './info-texts.ts'
import { withoutLinks } from './Prose.tsx'

/** A question of `/help` with the begin of its answer. `anchor`: its place on that page. */
export interface FoundHelp {
  anchor: string
  title: string
  excerpt: string
}

const excerptLength = 160

/** Questions of the help in which a word begins with each of the words looked for, those with all of them in the question first. */
export async function findHelp(context: LoaderFunctionArgs['context'], q: string, most: number): Promise<FoundHelp[]> {
  const asked = words(q)
  const telling = asked.filter((word) => !isSmallWord(word))
  const wanted = telling.length > 0 ? telling : asked
  if (wanted.length === 0) return []
  const { locale, texts, values } = await loadInfo(context, 'help')
  const translate = translator(locale, texts)
  const say = (key: string) => [translate.rich(key, { ...values, ...withoutLinks })].flat(Infinity).join('')
  const found = Object.entries(texts.groups as Record<string, { questions: Record<string, Section> }>).flatMap(
    ([group, { questions }]) =>
      Object.entries(questions).flatMap(([anchor, { body }]) => {
        const path = `groups.${group}.questions.${anchor}`
        const title = say(`${path}.title`)
        const answer = Object.entries(body)
          .flatMap(([index, block]) =>
            typeof block === 'string' || Array.isArray(block)
              ? say(`${path}.body.${index}`)
              : Object.keys(block).map((item) => say(`${path}.body.${index}.${item}`)),
          )
          .join(' ')
        if (!hasAll(`${title} ${answer}`, wanted)) return []
        return [{ anchor, title, excerpt: shortened(answer), isInTitle: hasAll(title, wanted) }]
      }),
  )
  return found
    .toSorted((one, other) => Number(other.isInTitle) - Number(one.isInTitle))
    .slice(0, most)
    .map(({ anchor, title, excerpt }) => ({ anchor, title, excerpt }))
}

const words = (text: string) => fold(text).split(' ').filter(Boolean)

function hasAll(text: string, wanted: string[]): boolean {
  const inText = words(text)
  return wanted.every((word) => inText.some((each) => each.startsWith(word)))
}

/** At most `excerptLength` characters, whole words. */
function shortened(text: string): string {
  if (text.length <= excerptLength) return text
  return `${text.slice(0, text.lastIndexOf(' ', excerptLength))} …`
}
