import formatMessage from 'use-intl/format-message/format-only'
import { numberText } from '../shared/numbers.ts'

type Arguments = Parameters<typeof formatMessage>
type Formatters = Arguments[3]['formatters']

/** The build replaces use-intl's formatter by this one, which differs in one thing: it writes numbers as numbers.ts does. */
function format(...[key, message, values, options]: Arguments): ReturnType<typeof formatMessage> {
  return formatMessage(key, message, values, { ...options, formatters: withOurNumbers(options.formatters) })
}
format.raw = formatMessage.raw
export default format

const ours = new WeakMap<Formatters, Formatters>()
function withOurNumbers(formatters: Formatters): Formatters {
  let found = ours.get(formatters)
  if (!found) {
    const getNumberFormat = (locale: string) => ({
      format: (number: number | bigint) => numberText(locale, Number(number)),
    })
    ours.set(formatters, (found = { ...formatters, getNumberFormat: getNumberFormat as never }))
  }
  return found
}
