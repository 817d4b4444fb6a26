/** First and last day of the festival: ISO dates of its zone. */
export interface FestivalDays {
  start: string
  end: string
}

const dayMs = 24 * 60 * 60_000

/** "Fri 20 – Sun 22 November"; a festival of one day "Fri 20 November". */
export function daysText(locale: string, { start, end }: FestivalDays): string {
  const isInOneYear = start.slice(0, 4) === end.slice(0, 4)
  const format = new Intl.DateTimeFormat(`${locale}-CH`, {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    ...(isInOneYear ? {} : { year: 'numeric' }),
    timeZone: 'UTC',
  })
  const text = start === end ? format.format(Date.parse(start)) : format.formatRange(Date.parse(start), Date.parse(end))
  // servers and browsers do not agree on which narrow space they write
  return text.replace(/(\p{L})[.,]+ /gu, '$1 ').replace(/[\u2009\u202f\u00a0]/g, ' ')
}

/** Days from the day `today` to the festival; 0 on its days, -1 when it is over. */
export function daysTo({ start, end }: FestivalDays, today: string): number {
  if (today > end) return -1
  return today >= start ? 0 : Math.round((Date.parse(start) - Date.parse(today)) / dayMs)
}
