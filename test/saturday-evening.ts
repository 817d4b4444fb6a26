/** Time of the stories by default: Saturday evening of the festival, 19:30 in Basel. */
export const saturdayEvening = '2026-06-20T17:30:00Z'

const { Date: RealDate } = globalThis
const realInstant = Temporal.Now.instant.bind(Temporal.Now)
let offsetMs = 0

/** Difference of this process's clock to the machine's. */
export const clockOffsetMs = () => offsetMs

/**
 * Sets the clock of this process to Saturday evening, from where it goes on: for apps without another clock, peers and tests. So no result
 * depends on the time at which the tests run.
 */
export function putClockToSaturdayEvening(): void {
  offsetMs = RealDate.parse(saturdayEvening) - RealDate.now()
  Temporal.Now.instant = () => realInstant().add({ milliseconds: Math.round(offsetMs) })
  globalThis.Date = shifted(RealDate, () => offsetMs)
}

/** A Date class with a shifted now. It is also sent to browsers as text, so it uses nothing outside itself. */
export function shifted(real: DateConstructor, by: () => number): DateConstructor {
  const now = () => real.now() + by()
  return new Proxy(real, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length > 0 ? args : [now()], newTarget) as Date,
    apply: () => new real(now()).toString(),
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  })
}
