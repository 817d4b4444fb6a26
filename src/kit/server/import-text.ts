import type { Texts } from './serve-endpoint.ts'

/** A text about a file from outside: a key under `importReport` of the messages, and its values. Translated for each reader. */
export interface ImportText {
  key: string
  values?: Record<string, string | number | ImportText>
}

export const importText = (key: string, values?: ImportText['values']): ImportText => ({
  key,
  ...(values ? { values } : {}),
})

/** Translates texts into one language. */
export type Speaker = (text: ImportText) => string

export function speaker(texts: Pick<Texts, 'say'>, locale: string): Speaker {
  const speak: Speaker = ({ key, values = {} }) =>
    texts.say(
      locale,
      `importReport.${key}`,
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, typeof value === 'object' ? speak(value) : value]),
      ),
    )
  return speak
}

const withId = (id: string) => ({ hasId: id ? 'yes' : 'no', id: id.slice(0, 80) })

/** Where an event stands in a file, such as "event 12 (id 146)". */
export const atEvent = (index: number, id: string) => importText('atEvent', { n: index + 1, ...withId(id) })
export const atLine = (n: number, id: string) => importText('atLine', { n, ...withId(id) })
