/** The server's time minus this device's clock, in ms, from an answer that has just arrived. */
export function offsetOf(serverNow: string): number {
  const server = Date.parse(serverNow)
  return Number.isNaN(server) ? 0 : server - Date.now()
}

/** The server's time in ms since 1970, by an offset of `offsetOf`. */
export const serverNow = (offsetMs: number): number => Date.now() + offsetMs

/**
 * The server's time on a device whose clock may be wrong or be set: it counts by `performance.now`. In some browsers that stops while
 * the device sleeps; `wakeUp` then reads the device's clock again.
 */
export class ServerClock {
  readonly #offsetMs: number
  #wall = Date.now()
  #monotonic = performance.now()
  constructor(offsetMs: number) {
    this.#offsetMs = offsetMs
  }
  /** ms since 1970 */
  now(): number {
    return this.#wall + this.#offsetMs + performance.now() - this.#monotonic
  }
  wakeUp(): void {
    this.#wall = Date.now()
    this.#monotonic = performance.now()
  }
}
