/** How far the clock of this device is behind the server's, in ms, when an answer with its time has just arrived. */
export function offsetOf(serverNow: string): number {
  const server = Date.parse(serverNow)
  return Number.isNaN(server) ? 0 : server - Date.now()
}

/**
 * The server's time on a device whose own clock may be wrong, or be set anew meanwhile: counted evenly from the moment it is
 * made. A device that has slept counts nothing meanwhile in some browsers; `wakeUp` takes its clock again.
 */
export class ServerClock {
  readonly #offsetMs: number
  #wall = Date.now()
  #even = performance.now()
  constructor(offsetMs: number) {
    this.#offsetMs = offsetMs
  }
  /** ms since 1970 */
  now(): number {
    return this.#wall + this.#offsetMs + performance.now() - this.#even
  }
  wakeUp(): void {
    this.#wall = Date.now()
    this.#even = performance.now()
  }
}
