import { numberText } from '../../kit/shared/numbers.ts'

type Values = Record<string, string | number>
/** `hash` is the number that `#` stands for. */
type Format = (values: Values, hash: string) => string

/**
 * Compiles a message with the forms of ICU MessageFormat that the server's texts use: `{name}`, `{n, number}`, `{n, plural, one {# day} other {# days}}`,
 * `{who, select, business {You} other {you}}` and quoting. So the server need not load the library of the screens.
 * @throws Error for any other form
 */
export function compileMessage(locale: string, message: string): (values?: Values) => string {
  const reader = { text: message, at: 0 }
  const format = sequence(reader, locale, false)
  if (reader.at < message.length) throw unreadable(reader)
  return (values = {}) => format(values, '')
}

interface Reader {
  text: string
  at: number
}

function sequence(reader: Reader, locale: string, inPlural: boolean): Format {
  const parts: Format[] = []
  for (;;) {
    const letter = reader.text[reader.at]
    if (letter === undefined || letter === '}') break
    if (letter === '{') parts.push(argument(reader, locale))
    else if (letter === '#' && inPlural) {
      reader.at++
      parts.push((_, hash) => hash)
    } else parts.push(literal(reader, inPlural))
  }
  return (values, hash) => parts.map((part) => part(values, hash)).join('')
}

/** Text up to the next brace. `''` is an apostrophe; an apostrophe before a brace (or `#`) quotes up to the next one. */
function literal(reader: Reader, inPlural: boolean): Format {
  let text = ''
  const ends = inPlural ? '{}#' : '{}'
  while (reader.at < reader.text.length && !ends.includes(reader.text[reader.at]!)) {
    const [letter, next = ''] = reader.text.slice(reader.at, reader.at + 2)
    reader.at++
    if (letter !== "'") text += letter
    else if (next === "'") {
      text += "'"
      reader.at++
    } else if (next !== '' && ends.includes(next)) {
      const close = reader.text.indexOf("'", reader.at)
      if (close < 0) throw unreadable(reader)
      text += reader.text.slice(reader.at, close)
      reader.at = close + 1
    } else text += "'"
  }
  return () => text
}

function argument(reader: Reader, locale: string): Format {
  const [head, name, , number, kind] =
    /^\{\s*(\w+)\s*(\}|,\s*(number)\s*\}|,\s*(plural|select)\s*,)/.exec(reader.text.slice(reader.at)) ?? []
  if (!head) throw unreadable(reader)
  reader.at += head.length
  if (number) return (values) => numberText(locale, Number(values[name!]))
  if (!kind) return (values) => String(values[name!] ?? `{${name}}`)
  const { forms, other } = formsOf(reader, locale, kind === 'plural')
  if (kind === 'select') return (values, hash) => (forms.get(String(values[name!])) ?? other)(values, hash)
  const rules = new Intl.PluralRules(locale)
  return (values) => {
    const count = Number(values[name!])
    return (forms.get(`=${count}`) ?? forms.get(rules.select(count)) ?? other)(values, numberText(locale, count))
  }
}

/** `one {…} other {…}` up to the closing brace of the argument. */
function formsOf(reader: Reader, locale: string, isPlural: boolean): { forms: Map<string, Format>; other: Format } {
  const forms = new Map<string, Format>()
  const opens = isPlural ? /^\s*(=\d+|zero|one|two|few|many|other)\s*\{/ : /^\s*(\w+)\s*\{/
  for (;;) {
    const [opening, form] = opens.exec(reader.text.slice(reader.at)) ?? []
    if (!opening) break
    reader.at += opening.length
    forms.set(form!, sequence(reader, locale, isPlural))
    reader.at++
  }
  const end = /^\s*\}/.exec(reader.text.slice(reader.at))?.[0]
  const other = forms.get('other')
  if (!end || !other) throw unreadable(reader)
  reader.at += end.length
  return { forms, other }
}

const unreadable = ({ text, at }: Reader) => new Error(`The text cannot be read at ${at}: ${text}`)
