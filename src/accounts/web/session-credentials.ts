import type { Credentials } from '../../kit/browser/credentials.ts'
import { endSession, storedInSession } from './session-store.ts'

/** Credentials of API calls, from the stored session. */
export const sessionCredentials: Credentials = {
  token: () => storedInSession('authToken'),
  // Loaded late: few page views need a refresh.
  renew: (refused) =>
    import('./refresh-session.ts').then(
      ({ refreshSession }) => refreshSession(refused),
      () => 'unreachable' as const,
    ),
  end: endSession,
}
