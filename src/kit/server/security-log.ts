/** An event that matters for security. It holds ids and results, never a secret, an address or an email. */
export interface SecurityEvent {
  /** e.g. token_refused */
  event: string
  /** Account id; null: unknown. */
  actor: string | null
  requestId: string | null
  /** Ids, codes and keyed hashes. */
  details?: Record<string, string | number>
}

export interface SecurityLog {
  note(event: SecurityEvent): void
}

/** Writes one JSON line per event, with times in UTC, at every `LOG_LEVEL`. `write` null: writes nothing. */
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
      // JSON escapes line breaks and control characters, so an event is always one line
      write?.(`${JSON.stringify({ ...line, ...details, msg: `security: ${event}` })}\n`)
    },
  }
}
