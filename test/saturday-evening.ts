/** Saturday evening of the festival, 19:30 in Basel: when stories happen unless they say otherwise. */
export const saturdayEvening = '2026-06-20T17:30:00Z'

const { Date: RealDate } = globalThis
const realInstant = Temporal.Now.instant.bind(Temporal.Now)
let offsetMs = 0

/** How far the clock of the process is from that of the machine. */
export const clockOffsetMs = () => offsetMs

/**
 * Puts the clock of this process to Saturday evening, from where it runs: of the app that is told no other time, of peers
 * and of the tests themselves. So no result depends on the hour at which somebody runs the tests.
 */
export function putClockToSaturdayEvening(): void {
  offsetMs = RealDate.parse(saturdayEvening) - RealDate.now()
  Temporal.Now.instant = () => realInstant().add({ milliseconds: Math.round(offsetMs) })
  globalThis.Date = shifted(RealDate, () => offsetMs)
}

/** A Date whose now is another; also handed to browsers as text, so it names nothing outside itself. */
export function shifted(real: DateConstructor, by: () => number): DateConstructor {
  const now = () => real.now() + by()
  return new Proxy(real, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length > 0 ? args : [now()], newTarget) as Date,
    apply: () => new real(now()).toString(),
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  })
}
