/** For example "20:30", in the given zone. */
export function wallTime(instant: string, zone: string): string {
  const { hour, minute } = Temporal.Instant.from(instant).toZonedDateTimeISO(zone)
  return `${padded(hour)}:${padded(minute)}`
}

/** For example "20:30", or "21.06., 20:30" if the day is not that of `known`. */
export function dayAndTime(instant: string, zone: string, known: string): string {
  const [day, before] = [instant, known].map((each) =>
    Temporal.Instant.from(each).toZonedDateTimeISO(zone).toPlainDate(),
  )
  const time = wallTime(instant, zone)
  return day!.equals(before!) ? time : `${padded(day!.day)}.${padded(day!.month)}., ${time}`
}

const padded = (n: number) => String(n).padStart(2, '0')
