import type { Credentials } from '../../kit/browser/credentials.ts'
import { endSession, storedInSession } from './session-store.ts'

/** What calls carry of the session. */
export const sessionCredentials: Credentials = {
  token: () => storedInSession('authToken'),
  // few ever need it, so no page brings it along
  renew: (refused) =>
    import('./refresh-session.ts').then(
      ({ refreshSession }) => refreshSession(refused),
      () => 'unreachable' as const,
    ),
  end: endSession,
}
