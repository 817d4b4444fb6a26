/** One thing that matters for security. Holds ids and outcomes, never a secret, an address or an e-mail. */
export interface SecurityEvent {
  /** e.g. token_refused */
  event: string
  /** The id of who it was; null: somebody unknown. */
  actor: string | null
  requestId: string | null
  /** Ids, codes and keyed hashes. */
  details?: Record<string, string | number>
}

export interface SecurityLog {
  note(event: SecurityEvent): void
}

/** Writes one JSON line per event, times in UTC, whatever `LOG_LEVEL` is; `write` null writes nothing. */
export function createSecurityLog(write: ((line: string) => void) | null): SecurityLog {
  return {
    note({ event, actor, requestId, details }) {
      const line = {
        level: 30,
        time: Date.now(),
        at: new Date().toISOString(),
        security: event,
        actor,
        reqId: requestId,
      }
      // JSON escapes line breaks and escape characters, so an event stays one line whatever is in it
      write?.(`${JSON.stringify({ ...line, ...details, msg: `security: ${event}` })}\n`)
    },
  }
}
